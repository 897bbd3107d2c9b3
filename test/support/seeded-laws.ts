import fc from "fast-check";

/**
 * Laws begin with the same cases every time, so that a gate says the same of the same code;
 * RANKPROOF_LAW_SEED tries others ("random": new ones with every run).
 */
const seed = process.env["RANKPROOF_LAW_SEED"] ?? "20261123";
if (seed !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
