import * as normalizers from "./builtin-normalizers.js";
import * as methods from "./builtin.js";
import type { FusionFactory } from "./define-fusion.js";
import type { Normalizer } from "./define-normalizer.js";
import * as trained from "./trained/builtin.js";
import type { TrainableFactory } from "./trained/define-trained-fusion.js";

/** Every built-in fusion method. The parser and the laws walk this list. */
export const fusionCatalog: readonly FusionFactory[] = /*#__PURE__*/ Object.values(methods);

/** Every built-in fusion method that learns from judged queries first. */
export const trainedFusionCatalog: readonly TrainableFactory[] = /*#__PURE__*/ Object.values(trained);

/** Every built-in normalizer. */
export const normalizerCatalog: readonly Normalizer[] = /*#__PURE__*/ Object.values(normalizers);
