import type { Conventions } from "../../src/records/index.js";

/** What an evaluation does where nothing else is asked for. */
export const CONVENTIONS: Conventions = {
  profile: "default",
  ties: "trec",
  precision: "double",
  queries: "judged",
  noRelevant: "zero",
  unjudged: "irrelevant",
  duplicates: "first",
  grades: "as given",
  means: "exact",
  identicalIds: "keep",
  depth: null,
};
