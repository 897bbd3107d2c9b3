import { describe, expect, it } from "vitest";
import { memoryStore } from "../../src/storage/index.js";
import { storeContract } from "../../src/testing/index.js";

storeContract({ describe, it, expect }, "memoryStore", async () => memoryStore());
