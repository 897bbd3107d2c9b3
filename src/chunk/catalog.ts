import type { ChunkerCard } from "./chunker-card.js";
import { sentenceChunkerCard } from "./sentence-chunker.js";
import { wholeDocumentChunkerCard } from "./whole-document-chunker.js";
import { windowChunkerCard } from "./window-chunker.js";

/** The chunkers of documents that go by a name, the usual one first. */
export const chunkerCatalog: readonly ChunkerCard[] = [
  wholeDocumentChunkerCard,
  sentenceChunkerCard,
  windowChunkerCard,
];
