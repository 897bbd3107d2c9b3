import { config } from "zod";

// Zod's probe for `new Function` is told as a breach of the page's policy. This comes before any schema is
// made, and so in a module of its own, which is imported first.
config({ jitless: true });
