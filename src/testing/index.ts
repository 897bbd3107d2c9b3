/**
 * The contracts that adapters must pass, for the test runner of your choice.
 *
 * @module
 */
export { storeContract, type TestRunner } from "./store-contract.js";
