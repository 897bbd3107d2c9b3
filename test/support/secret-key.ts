/** A key with characters that are written otherwise in URLs and in JSON. */
export const KEY = 'sk-live-7f"3a/9c+5e=1b\\2d~SECRET-TAIL';

/** What must be nowhere: the key as it is, its parts, and other ways to write it. */
export const TRACES = [
  KEY,
  KEY.slice(0, 16),
  "SECRET-TAIL",
  encodeURIComponent(KEY),
  JSON.stringify(KEY).slice(1, -1),
  Buffer.from(KEY).toString("base64"),
];
