import { Option, type Command } from "commander";
import { chunkerCatalog, type Chunker, type ChunkerCard } from "../chunk/index.js";
import { InputError } from "../index.js";
import { wholeNumberOption } from "./number-flag.js";

/** How documents are cut, as commander gives it. */
export interface ChunkerFlags {
  chunker: string;
  chunkSize?: number | undefined;
  chunkOverlap?: number | undefined;
}

/** The default chunker. */
export const USUAL_CHUNKER = chunkerCatalog[0]?.name ?? "";

/** The options that say how documents are cut. */
export function chunkerOptionsOf(
  command: Command,
  catalog: readonly ChunkerCard[] = chunkerCatalog,
): Command {
  const sizes = catalog.flatMap(({ name, size }) => (size === undefined ? [] : [{ name, ...size }]));
  const lengths = sizes.map(({ name, unit, usual }) => `${unit} of ${name} (default: ${usual})`);
  const overlaps = sizes.map(({ name, usualOverlap }) => `${usualOverlap} of ${name}`);
  return command
    .addOption(
      new Option("--chunker <name>", "how the documents of a corpus are cut")
        .choices(catalog.map(({ name }) => name))
        .default(catalog[0]?.name),
    )
    .option(
      "--chunk-size <n>",
      `size of the largest chunk: ${lengths.join(", ")}`,
      wholeNumberOption("chunk-size"),
    )
    .option(
      "--chunk-overlap <n>",
      `what a chunk shares with the one before (default: ${overlaps.join(", ")}, a fifth at most)`,
      wholeNumberOption("chunk-overlap", 0),
    );
}

/**
 * The chunker that the flags stand for.
 *
 * @throws InputError `ARGUMENT` for a size of documents that are not cut.
 */
export function chunkerOf(
  { chunker, chunkSize: size, chunkOverlap: overlap }: ChunkerFlags,
  catalog: readonly ChunkerCard[] = chunkerCatalog,
): Chunker {
  const card = catalog.find(({ name }) => name === chunker) as ChunkerCard;
  if (card.size === undefined && (size ?? overlap) !== undefined) {
    const cutting = catalog.filter((each) => each.size !== undefined).map(({ name }) => name);
    throw new InputError(
      "ARGUMENT",
      `--chunk-size and --chunk-overlap are for --chunker ${cutting.join(" and ")}; ` +
        `with --chunker ${chunker} documents are not cut`,
    );
  }
  return card.make({ size, overlap });
}
