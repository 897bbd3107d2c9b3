/** What a metric may be asked about: chunks or documents. */
export type JudgedUnit = "chunk" | "doc";
