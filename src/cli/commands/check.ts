import { quote } from "../../foundation/errors/index.js";
import { countOf, formatCount } from "../../foundation/numbers/index.js";
import { readGolden } from "../../node/index.js";
import { passesTextChecks, shouldRefuse, type GoldenQuery } from "../../records/index.js";
import { findStaleIds, staleIdsError } from "../../runs/index.js";
import { storeFor } from "../sources.js";
import { examples, storeOption, type CliCommand } from "./cli-command.js";
import { formatJson } from "../format-json.js";

interface Flags {
  store?: string;
  isUsualStore?: true;
  json?: true;
}

export const checkCommand: CliCommand = {
  define(command, terminal) {
    storeOption(command.argument("<golden>", "the golden set, plain or gzip; - is stdin"))
      .option("--json", "print the counts as JSON")
      .addHelpText("after", examples("check golden.yaml", "check golden.yaml --store kb.sqlite"))
      .action(async (file: string, { store: path, isUsualStore, json }: Flags) => {
        const golden = await readGolden(file);
        const store = await storeFor(path, isUsualStore);
        const hasCorpus = (await store?.hasCorpus()) ?? false;
        const stale = store === null ? [] : await findStaleIds(store, golden);
        if (stale.length > 0) throw staleIdsError(stale);
        const { queries } = golden;
        const counts = {
          queries: queries.length,
          with_expected_chunks: queries.filter(({ expected_chunk_ids = [] }) => expected_chunk_ids.length > 0)
            .length,
          with_expected_docs: queries.filter(({ expected_doc_ids = [] }) => expected_doc_ids.length > 0)
            .length,
          with_spans: queries.filter(({ expected_spans = [] }) => expected_spans.length > 0).length,
          with_judgments: queries.filter(({ judgments = [] }) => judgments.length > 0).length,
          to_refuse: queries.filter(shouldRefuse).length,
          with_text_checks: queries.filter(
            ({ must_contain = [], forbidden = [] }) => must_contain.length + forbidden.length > 0,
          ).length,
          groups: new Set(queries.flatMap(({ group }) => group ?? [])).size,
          ids_checked: hasCorpus,
        };
        for (const query of queries)
          for (const text of (query.must_contain ?? []).filter((needed) => isForbidden(needed, query)))
            terminal.warn(
              `no answer to ${quote(query.id)} can pass: it must contain ${quote(text)}, which is forbidden`,
            );
        if (json === true) terminal.out(formatJson(counts));
        else {
          terminal.out(
            `${file}: ${countOf(counts.queries, "query")}, ` +
              `${formatCount(counts.with_expected_chunks)} with expected chunks, ` +
              `${formatCount(counts.with_expected_docs)} with expected documents, ` +
              (counts.with_spans > 0 ? `${formatCount(counts.with_spans)} with expected spans, ` : "") +
              (counts.with_judgments > 0 ? `${formatCount(counts.with_judgments)} with judgments, ` : "") +
              (counts.to_refuse > 0 ? `${formatCount(counts.to_refuse)} to refuse, ` : "") +
              `${formatCount(counts.with_text_checks)} with text checks, ` +
              `${countOf(counts.groups, "group")}\n`,
          );
          terminal.talk(
            hasCorpus
              ? "every expected id is in the knowledge base, or in the archive of its earlier chunks"
              : "the expected ids were not checked: " +
                  (store === null && path !== undefined
                    ? `there is no store at ${path}`
                    : "no store with a knowledge base was given"),
          );
        }
      });
  },
};

/** Whether a text, and so every answer that contains it, has a string that is forbidden. */
function isForbidden(text: string, { id, query, forbidden = [] }: GoldenQuery): boolean {
  return !passesTextChecks(text, { id, query, forbidden });
}
