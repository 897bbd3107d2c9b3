/**
 * The contracts that adapters must pass, for the test runner of your choice.
 *
 * @module
 */
export { storeContract, type Expectation, type RejectedExpectation, type TestRunner } from "./store-contract.js";
