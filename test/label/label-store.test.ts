import { describe, expect, it } from "vitest";
import { memoryLabelStore } from "../../src/storage/index.js";
import { labelStoreContract } from "../../src/testing/index.js";

labelStoreContract({ describe, it, expect }, "the label store in memory", async () => memoryLabelStore());
