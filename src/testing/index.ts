/**
 * The contracts that adapters and metrics must pass, for the test runner of your choice.
 *
 * @module
 */
export { storeContract, type Expectation, type RejectedExpectation, type TestRunner } from "./store-contract.js";
export { lawBroken, metricContract, type MetricContractOptions } from "./metric-laws.js";
