import { formatAssessments } from "../../formats/index.js";
import type { Assessment } from "../../label/index.js";
import { labelGrades, labelingQueue, normalizeQuery } from "../../label/index.js";
import type {
  WorkbenchItem,
  WorkbenchPair,
  WorkbenchStatic,
  WorkbenchStaticCollection,
  WorkbenchStaticLabelling,
  WorkbenchStaticView,
} from "../../records/index.js";
import { markAssessment, withoutGradesBefore } from "../../workbench/index.js";
import { SourceError, type ChosenRuns, type DataSource } from "../data-source.js";
import type { AskedQuery } from "../journal.js";
import { withoutServer } from "./refused.js";

/** What stands in the page itself. */
export function embeddedSource({ session, collections, items }: WorkbenchStatic): DataSource {
  const collectionOf = (id: string): WorkbenchStaticCollection =>
    requireValue(
      collections.find((each) => each.id === id),
      `There is no dataset ${id} in this page.`,
    );
  const labellingIn = (id: string): WorkbenchStaticLabelling | null =>
    collections.find((each) => each.id === id)?.labelling ?? null;
  const queriesOf = (id: string): WorkbenchStaticLabelling["queries"] => labellingIn(id)?.queries ?? [];
  const queryOf = (id: string, queryId: string): AskedQuery | null => {
    const query = queriesOf(id).find(([each]) => each === queryId)?.[1];
    return query === undefined ? null : { query, tenant: labellingIn(id)?.tenant ?? "" };
  };
  const itemAt = (at: number): WorkbenchItem => items[at] as WorkbenchItem;
  return {
    ...withoutServer,
    local: {
      opened: [],
      open: async () => undefined,
      queryOf,
      idOf(id, words, preferred) {
        const asked = normalizeQuery(words);
        const isAsked = (text: string | undefined): boolean => normalizeQuery(text ?? words) === asked;
        if (queryOf(id, preferred) !== null && isAsked(queryOf(id, preferred)?.query)) return preferred;
        return queriesOf(id).find(([, text]) => isAsked(text))?.[0] ?? null;
      },
      labelFile(entries) {
        const byPair = new Map<string, Assessment[]>();
        const said = entries.flatMap(({ collection, rater, mark, asked }) => {
          const { query: text, tenant } = asked ?? queryOf(collection, mark.query_id) ?? {};
          // Of a query that has left nobody knows what was kept before its words were.
          if (text === undefined || tenant === undefined) return [];
          const made = markAssessment(mark, { kind: "human", name: rater }, { tenant, text });
          const pair = JSON.stringify([tenant, rater, made.query, made.item]);
          const own = byPair.get(pair) ?? [];
          const stored = withoutGradesBefore(made, own);
          byPair.set(pair, [...own, ...stored]);
          return stored;
        });
        return formatAssessments(said);
      },
    },
    session: async () => session,
    overview: async (id) => collectionOf(id).overview,
    history: async (id) => collectionOf(id).history,
    report: async (id, name) => collectionOf(id)[name],
    queries: async (id, runs) => viewOf(collectionOf(id), runs).queries,
    async query(id, query, runs) {
      const { answers } = viewOf(collectionOf(id), runs);
      const found = requireValue(
        answers.find((each) => each.id === query),
        `There is no query ${query} in this page.`,
      );
      const shown = found.items.map(itemAt);
      return { ...found, items: Object.fromEntries(shown.map((item) => [item.id, item])) };
    },
    async compare(id, a, b) {
      const { report } = viewOf(collectionOf(id), { run: b, baseline: a });
      return requireValue(report, "A comparison is of two batches; choose them in the history.");
    },
    async queue(id, rater, ofQuery) {
      const labelling = labellingOf(collectionOf(id));
      const pairs = new Map(pairsOf(labelling, itemAt, ofQuery).map((pair) => [keyOf(pair), pair]));
      const asked = [...pairs.values()].map((pair) => ({
        query: normalizeQuery(pair.query),
        item: pair.item.id,
      }));
      const { pairs: ordered } = labelingQueue(asked, [], { kind: "human", name: rater });
      const shown = ordered.flatMap(({ query, item }) => pairs.get(`${query}\n${item}`) ?? []);
      return {
        pairs: shown,
        left: shown.length,
        done: 0,
        said: [],
        own_kappa: null,
        repeats: 0,
        guidelines: labelGrades,
      };
    },
    async pair(id, query, item) {
      const pairs = pairsOf(labellingOf(collectionOf(id)), itemAt, query);
      return requireValue(
        pairs.find((pair) => pair.item.id === item),
        "This pair is not in this page.",
      );
    },
  };
}

/** @throws SourceError for what the page lacks. */
function requireValue<T>(value: T | null | undefined, message: string): T {
  if (value == null) throw new SourceError(404, message);
  return value;
}

/** Two batches side by side; what is left out is what stands first. */
function viewOf({ views }: WorkbenchStaticCollection, { run, baseline }: ChosenRuns): WorkbenchStaticView {
  const found = views.find(
    ({ queries }) =>
      (run === undefined || queries.run === run) && (baseline === undefined || queries.baseline === baseline),
  );
  const there = views
    .filter(({ report }) => report !== null)
    .map(({ queries }) => `${queries.run} against ${queries.baseline}`);
  const asked = `${run ?? "this batch"}${baseline === undefined ? "" : ` against ${baseline}`}`;
  return requireValue(
    found,
    `This page does not have ${asked}. It has ${there.join(", ")}; \`rankproof ui\` has them all.`,
  );
}

function labellingOf({ labelling }: WorkbenchStaticCollection): WorkbenchStaticLabelling {
  return requireValue(labelling, "This page was written without what labelling needs.");
}

const keyOf = ({ query, item }: WorkbenchPair): string => `${normalizeQuery(query)}\n${item.id}`;

function pairsOf(
  { queries, pairs }: WorkbenchStaticLabelling,
  itemAt: (at: number) => WorkbenchItem,
  ofQuery: string | null,
): WorkbenchPair[] {
  const texts = new Map(queries.map(([id, text, need]) => [id, { text, need }]));
  const asked = ofQuery === null ? undefined : texts.get(ofQuery)?.text;
  if (ofQuery !== null && asked === undefined) return [];
  const wanted = asked === undefined ? null : normalizeQuery(asked);
  return pairs.flatMap(([query_id, item, item_hash]) => {
    const { text: query = "", need = null } = texts.get(query_id) ?? {};
    if (wanted !== null && normalizeQuery(query) !== wanted) return [];
    return [{ query_id, query, need, item: itemAt(item), is_repeat: false, item_hash }];
  });
}
