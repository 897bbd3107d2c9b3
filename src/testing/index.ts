/**
 * The contracts that adapters, retrievers and metrics must pass, for the test runner of your choice.
 *
 * @module
 */
export type { Expectation, RejectedExpectation, TestRunner } from "./test-runner.js";
export { storeContract } from "./store-contract.js";
export { labelStoreContract } from "./label-store-contract.js";
export { retrieverContract, type RetrieverContractOptions } from "./retriever-contract.js";
export { lawBroken, metricContract, type MetricContractOptions } from "./metric-laws.js";
export { backendContract, type BackendContractOptions } from "./backend-contract.js";
