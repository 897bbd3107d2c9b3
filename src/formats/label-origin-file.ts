import { throwProblems } from "../foundation/errors/index.js";
import { shapeProblems, type LabelOrigin } from "../records/index.js";
import { labelOriginSchema } from "../records/schema/index.js";
import { locateIn } from "./located.js";
import { wholeJson } from "./whole-json.js";

/**
 * Reads where judgments come from.
 *
 * @throws InputError `LABEL_SHAPE` with every problem, each with its place.
 */
export function parseLabelOrigin(text: string, file: string): LabelOrigin {
  const document = wholeJson(text, file, "LABEL_SHAPE");
  throwProblems(
    shapeProblems(labelOriginSchema, document.value, {
      code: "LABEL_SHAPE",
      locate: locateIn(document, file),
    }),
  );
  return document.value as LabelOrigin;
}
