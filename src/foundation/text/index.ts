export {
  REDACTED,
  configPath,
  isSecretKey,
  isSecretText,
  redactSecrets,
  type RedactedConfig,
} from "./redact-secrets.js";
export { canonicalJson } from "./canonical-json.js";
export { csvField } from "./csv-field.js";
export { spreadsheetCell, spreadsheetText } from "./spreadsheet-cell.js";
export { escapeJson } from "./escape-json.js";
export { firstOf } from "./first-of.js";
export { isEscaped } from "./is-escaped.js";
export { parseJson } from "./parse-json.js";
export { oneLine } from "./one-line.js";
export { terminalWidth } from "./terminal-width.js";
export { UNSPACED_SCRIPTS } from "./unspaced-scripts.js";
export { valueText } from "./value-text.js";
