import { InputError, quote } from "../foundation/errors/index.js";
import { didYouMean, nearestIds } from "../foundation/ids/index.js";
import { fusionCatalog, normalizerCatalog, trainedFusionCatalog } from "./catalog.js";
import type { FusionDefinition, FusionFactory, FusionMethod, FusionParameters } from "./define-fusion.js";
import type { TrainableFactory, TrainableFusion } from "./trained/define-trained-fusion.js";
import type { Normalizer } from "./define-normalizer.js";

const NAME = /^([A-Za-z]\w*)(?:\(([^()]*)\))?$/;
const PARAMETER = /^\s*(\w+)\s*=\s*(\S+)\s*$/;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * The fusion method of a printed name or an alias: `parseFusion("RRF(k=10)").name // => "rrf(k=10)"`. Weights
 * are written with `/` between them: `wsum(weights=0.7/0.3)`.
 *
 * @param catalog where to look; give `[...fusionCatalog, yours]` to read methods of your own.
 * @throws InputError `ARGUMENT` with the nearest names, or with what is wrong with a parameter.
 */
export function parseFusion(name: string, catalog: readonly FusionFactory[] = fusionCatalog): FusionMethod {
  return makeNamed(name, "fusion method", catalog);
}

/**
 * The trainable fusion method of a printed name or an alias:
 * `parseTrainedFusion("ProbFuse(segments=10)").name // => "probfuse(segments=10)"`.
 *
 * @throws InputError `ARGUMENT` with the nearest names, or with what is wrong with a parameter.
 */
export function parseTrainedFusion(
  name: string,
  catalog: readonly TrainableFactory[] = trainedFusionCatalog,
): TrainableFusion {
  return makeNamed(name, "trained fusion method", catalog);
}

/** Whether a name, with parameters or without, is that of a method that has to learn first. */
export function isTrainedFusion(name: string): boolean {
  const [, base] = NAME.exec(name.trim()) ?? [];
  return trainedFusionCatalog.some(({ definition }) =>
    [definition.name, ...(definition.aliases ?? [])].includes(base ?? name),
  );
}

/** What the factory of a printed name makes with the parameters in it. */
function makeNamed<Made>(
  name: string,
  kind: string,
  catalog: readonly (((parameters: FusionParameters) => Made) & { readonly definition: FusionDefinition })[],
): Made {
  const [, base, parameters] = NAME.exec(name.trim()) ?? [];
  const factory = findNamed(kind, base ?? name, name, catalog);
  const parts = (parameters ?? "").split(",").filter((part) => part.trim() !== "");
  const given = new Map<string, number | readonly number[]>();
  for (const part of parts) {
    const [key, value] = parseParameter(name, part, factory.definition);
    if (given.has(key)) throw new InputError("ARGUMENT", `${quote(name)} gives ${quote(key)} twice`);
    given.set(key, value);
  }
  return factory(Object.fromEntries(given));
}

/**
 * The normalizer of a name or an alias: `parseNormalizer("z-score").name // => "zmuv"`.
 *
 * @param catalog where to look; give `[...normalizerCatalog, yours]` to read normalizers of your own.
 * @throws InputError `ARGUMENT` with the nearest names.
 */
export function parseNormalizer(
  name: string,
  catalog: readonly Normalizer[] = normalizerCatalog,
): Normalizer {
  return findNamed("normalizer", name.trim(), name, catalog);
}

/** The entry of a catalogue that is called `base`, by its name or an alias. */
function findNamed<
  T extends { readonly definition: { readonly name: string; readonly aliases?: readonly string[] } },
>(kind: string, base: string, given: string, catalog: readonly T[]): T {
  const list: unknown = catalog;
  if (!Array.isArray(list))
    throw new InputError(
      "ARGUMENT",
      `the catalogue of a ${kind} must be a list, got ${quote(catalog)}; in \`map\`, pass on the name alone`,
    );
  const names = new Map(
    catalog.flatMap((entry) =>
      [entry.definition.name, ...(entry.definition.aliases ?? [])].map((known) => [known, entry] as const),
    ),
  );
  const found = names.get(base);
  if (found !== undefined) return found;
  // By the name that is printed, so that an alias and its method are not offered as two.
  const near = [
    ...new Set(nearestIds(base, names.keys()).map((known) => names.get(known)?.definition.name ?? known)),
  ];
  const hint =
    didYouMean(near) ?? `known are ${catalog.map(({ definition }) => quote(definition.name)).join(", ")}`;
  throw new InputError("ARGUMENT", `unknown ${kind} ${quote(given)}; ${hint}`, { name: given });
}

function parseParameter(
  name: string,
  part: string,
  definition: FusionDefinition,
): [string, number | readonly number[]] {
  const [, key, value] = PARAMETER.exec(part) ?? [];
  if (key === undefined || value === undefined)
    throw new InputError(
      "ARGUMENT",
      `${quote(name)}: parameters are written \`name=value\`, got ${quote(part)}`,
    );
  const card = new Map(Object.entries(definition.parameters)).get(key);
  // The method names what it has.
  if (card === undefined) return [key, NaN];
  if ("perRun" in card) return [key, value.split("/").map((weight) => parseNumber(name, key, weight))];
  return [key, parseNumber(name, key, value)];
}

function parseNumber(name: string, key: string, value: string): number {
  if (!NUMBER.test(value))
    throw new InputError("ARGUMENT", `${quote(name)}: ${key} must be a number, got ${quote(value)}`);
  return Number(value);
}
