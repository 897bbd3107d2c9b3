import { clip } from "../../foundation/errors/index.js";
import { countOf } from "../../foundation/numbers/index.js";
import { Option, type Command } from "commander";
import { InputError } from "../../index.js";
import { readChunks } from "../../node/index.js";
import { embeddingIndex, hybridRetriever, lexicalIndex, type Retriever } from "../../retrieve/index.js";
import { chunkerOf, USUAL_CHUNKER } from "../chunker-flags.js";
import { liveEmbedder, offlineEmbedder } from "../embedding-flags.js";
import { interruptible } from "../interruptible.js";
import { wholeNumberOption } from "../number-flag.js";
import {
  hybridOptions,
  lexicalOptions,
  refuseIdleRetrieval,
  retrievalOptionsOf,
  type RetrievalFlags,
} from "../retrieval-flags.js";
import { refuseIdleOptions } from "../refuse-idle-options.js";
import { plainLine, type Terminal } from "../terminal.js";
import { examples, type CliCommand } from "./cli-command.js";
import { formatJson } from "../format-json.js";

interface SearchFlags extends RetrievalFlags {
  mode: "fts_only" | "embedding_only" | "hybrid";
  top: number;
  json?: true;
}

export const searchCommand: CliCommand = {
  define(command, terminal) {
    retrievalOptionsOf(
      command
        .argument(
          "<corpus>",
          "documents: JSONL or JSON of id, title, text; a folder with corpus.jsonl; chunks of a knowledge " +
            "base with their texts; a fixture of bench; plain or gzip; - is stdin",
        )
        .argument("<query...>", "the words"),
    )
      .addOption(
        new Option("--mode <name>", "full text, embeddings, or both")
          .choices(["fts_only", "embedding_only", "hybrid"])
          .default("fts_only"),
      )
      .option("-k, --top <n>", "hits that are shown", wholeNumberOption("top"), 10)
      .option("--json", "print JSON")
      .addHelpText(
        "after",
        examples(
          'search corpus.jsonl "boundary layer transition"',
          'search corpus.jsonl "边界层" --mode hybrid -k 3',
          'search docs.jsonl.gz "Grenzschicht" --language german --chunker sentences',
        ),
      )
      .action(async (path: string, words: string[], flags: SearchFlags, called: Command) => {
        refuseIdleRetrieval(called, [flags.mode]);
        if (flags.mode !== "hybrid") refuseIdleOptions(called, ["depth"], "without the mode hybrid");
        await searchAction(path, words.join(" "), flags, terminal);
      });
  },
};

const SNIPPET = 160;

async function searchAction(
  path: string,
  query: string,
  flags: SearchFlags,
  terminal: Terminal,
): Promise<void> {
  const chunker = chunkerOf(flags);
  const chunks = await readChunks(path, flags.chunker === USUAL_CHUNKER ? undefined : chunker);
  const hits = await interruptible(terminal, "the search was interrupted", async (signal) =>
    (await retrieverOf(chunks, flags, terminal)).search(query, { limit: flags.top, signal }),
  );
  const byId = new Map(chunks.map((chunk) => [chunk.chunk_id, chunk]));
  if (flags.json === true) {
    terminal.out(
      formatJson(
        hits.map((hit) => ({
          ...hit,
          title: byId.get(hit.chunk_id)?.title ?? "",
          text: byId.get(hit.chunk_id)?.text ?? "",
        })),
      ),
    );
    return;
  }
  const searched =
    `${countOf(chunks.length, "chunk")} of ` +
    `${countOf(new Set(chunks.map(({ doc_id }) => doc_id)).size, "document")}`;
  for (const { rank, chunk_id, score } of hits) {
    const { title = "", text = "" } = byId.get(chunk_id) ?? {};
    terminal.out(
      `${String(rank).padStart(3)}  ${(score ?? 0).toFixed(4).padStart(8)}  ` +
        `${terminal.paint(plainLine(chunk_id), "strong")}  ${plainLine(title)}\n     ` +
        `${terminal.paint(snippet(text), "quiet")}\n`,
    );
  }
  terminal.talk(hits.length === 0 ? `nothing found among ${searched}` : `${hits.length} of ${searched}`);
}

async function retrieverOf(
  chunks: Parameters<typeof lexicalIndex>[0],
  flags: SearchFlags,
  terminal: Terminal,
): Promise<Retriever> {
  const lexical = lexicalIndex(chunks, await lexicalOptions(flags));
  if (flags.mode === "fts_only") return lexical;
  const provider = liveEmbedder(flags, terminal) ?? offlineEmbedder(flags);
  if (provider === undefined)
    throw new InputError(
      "ARGUMENT",
      `--mode ${flags.mode} needs embeddings; choose --embedding-provider hash or openai`,
    );
  const embedding = await embeddingIndex(chunks, provider, {
    signal: terminal.signal,
    onProgress: (done, total) => terminal.progress(`embedding: ${done} of ${total} chunks`),
  });
  return flags.mode === "embedding_only"
    ? embedding
    : hybridRetriever({ lexical, embedding }, hybridOptions(flags));
}

function snippet(text: string): string {
  return clip(plainLine(text.replace(/\s+/g, " ").trim()), SNIPPET);
}
