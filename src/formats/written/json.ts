import { groupBy } from "../../foundation/columns/index.js";
import { queriesOf, wrap, type WrittenFormatCard } from "./written-format.js";

/** JSON of a mapping of mappings; keys come in the order given, `__proto__` like any other. */
function* indentJson(
  outer: Iterable<readonly [string, Iterable<readonly [string, number]>]>,
): Iterable<string> {
  const members = function* (): Iterable<string> {
    for (const [key, inner] of outer)
      yield (
        `${JSON.stringify(key)}: ` +
        `{${[...inner].map(([id, number]) => `${JSON.stringify(id)}: ${number}`).join(", ")}}`
      );
  };
  yield* wrap("{", members(), "\n}\n");
}

/** As ranx and pytrec_eval read it. */
export const jsonFormat: WrittenFormatCard = {
  name: "json",
  extensions: ["json"],
  hasSubtopics: false,
  hasEmptyQueries: true,
  run: (run) => indentJson(queriesOf(run)),
  qrels: (judgments) =>
    indentJson(
      [...groupBy(judgments, ({ query_id }) => query_id)].map(
        ([query, list]) => [query, list.map(({ doc_id, grade }) => [doc_id, grade] as const)] as const,
      ),
    ),
};
