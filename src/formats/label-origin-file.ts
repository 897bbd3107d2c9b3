import type { LabelOrigin } from "../records/index.js";
import { labelOriginSchema } from "../records/schema/index.js";
import { jsonOfShape } from "./whole-json.js";

/**
 * Reads where judgments come from.
 *
 * @throws InputError `LABEL_SHAPE` with every problem, each with its place.
 */
export function parseLabelOrigin(text: string, file: string): LabelOrigin {
  return jsonOfShape(labelOriginSchema, text, file, "LABEL_SHAPE") as LabelOrigin;
}
