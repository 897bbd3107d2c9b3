import { embeddingCatalog } from "../../src/retrieve/index.js";
import { embeddingProviderContract } from "../support/embedding-provider-contract.js";

// Those that ask a service have tests with a server of their own.
for (const { name, open } of embeddingCatalog.filter(({ requests }) => requests === undefined))
  embeddingProviderContract(`the provider called ${name}`, () => open({ env: {} }));
