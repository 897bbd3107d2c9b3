// The interfaces of all records, made of the zod schemas; see scripts/schemas.js.
import { globalRegistry } from "zod";

const GENERATED = "// Made of the zod schemas in `records/schema/` by `npm run schemas`. Change those.";
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const WIDTH = 106;

/**
 * The source of `src/records/types/index.ts`: one named type for each exported schema, with a comment at
 * every field.
 *
 * @param shapes what `rankproof/schema` exports
 * @param docs what each named type is, from the comment at its schema
 */
export function recordTypes(shapes, docs) {
  const names = namesOf(shapes);
  const types = [...names].map(([schema, name]) => declaration(schema, name, docs.get(name), names));
  return `${GENERATED}\n\n${types.join("\n\n")}\n`;
}

/** The source of a file that compiles only where the types are what the schemas infer. */
export function typesCheck(shapes) {
  const names = [...namesOf(shapes).values()];
  return [
    GENERATED,
    'import type * as z from "zod";',
    'import type * as schema from "../../src/records/schema/index.js";',
    'import type * as types from "../../src/records/types/index.js";',
    "",
    "type Flat<T> = T extends object ? { -readonly [K in keyof T]: Flat<T[K]> } : T;",
    "type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;",
    "type Same<Schema extends z.ZodType, Type> = Equal<Flat<z.infer<Schema>>, Flat<Type>>;",
    "",
    "/** Compiles only where each type is what its schema infers. */",
    "export const sameTypes: {",
    ...names.map((name) => `  ${name}: Same<typeof schema.${schemaOf(name)}, types.${name}>;`),
    "} = {",
    ...names.map((name) => `  ${name}: true,`),
    "};",
    "",
  ].join("\n");
}

/** By schema the name of its type: `GoldenQuery` of `goldenQuerySchema`. */
export function namesOf(shapes) {
  return new Map(
    Object.entries(shapes)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, schema]) => {
        if (!key.endsWith("Schema"))
          throw new Error(`${key}: name it after its type, such as goldenQuerySchema`);
        return [schema, key[0].toUpperCase() + key.slice(1, -"Schema".length)];
      }),
  );
}

const schemaOf = (name) => `${name[0].toLowerCase()}${name.slice(1)}Schema`;

function declaration(schema, name, doc, names) {
  if (doc === undefined) throw new Error(`${name}: say in a comment at its schema what it is`);
  const { type } = schema._zod.def;
  return type === "object"
    ? `${comment(doc, "")}export interface ${name} ${objectType(schema, names, "")}`
    : `${comment(doc, "")}export type ${name} = ${typeOf(schema, names, "", name)};`;
}

/** What a field says of itself, or what is inside of it; undefined where it says nothing. */
function descriptionOf(schema) {
  const own = globalRegistry.get(schema)?.description;
  const inner = schema._zod.def.innerType;
  return own ?? (inner === undefined ? undefined : descriptionOf(inner));
}

function objectType(schema, names, indent) {
  const { shape, catchall } = schema._zod.def;
  const deeper = `${indent}  `;
  const fields = Object.entries(shape).map(([key, field]) => {
    const doc = descriptionOf(field);
    const { type, values } = field._zod.def;
    if (doc === undefined && !(type === "literal" && values.length === 1) && key !== "kind")
      throw new Error(`${key}: describe what it means, its unit, its range`);
    const name = IDENTIFIER.test(key) ? key : JSON.stringify(key);
    return (
      (doc === undefined ? "" : comment(doc, deeper)) +
      `${deeper}${name}${field._zod.optout === "optional" ? "?" : ""}: ${typeOf(field, names, deeper)};\n`
    );
  });
  const index =
    catchall === undefined || catchall._zod.def.type === "never"
      ? []
      : [`${deeper}[key: string]: ${typeOf(catchall, names, deeper)};\n`];
  return `{\n${[...fields, ...index].join("")}${indent}}`;
}

/** @param self the name that is being declared, which must not stand for itself */
function typeOf(schema, names, indent, self) {
  const named = nameOf(schema, names);
  if (named !== undefined && named !== self) return named;
  const { def } = schema._zod;
  switch (def.type) {
    case "string":
    case "number":
    case "boolean":
    case "unknown":
    case "never":
    case "undefined":
      return def.type;
    case "literal":
      return def.values.map((value) => JSON.stringify(value)).join(" | ");
    case "enum":
      return Object.values(def.entries)
        .map((value) => JSON.stringify(value))
        .join(" | ");
    case "array":
      return arrayOf(typeOf(def.element, names, indent));
    case "tuple":
      return `readonly [${def.items.map((item) => typeOf(item, names, indent)).join(", ")}]`;
    case "record":
      return `Record<${typeOf(def.keyType, names, indent)}, ${typeOf(def.valueType, names, indent)}>`;
    case "union":
      return def.options.map((option) => typeOf(option, names, indent)).join(" | ");
    case "nullable":
      return `${typeOf(def.innerType, names, indent)} | null`;
    case "optional":
      // What may be anything may be nothing, too.
      return ["undefined", "unknown"].includes(def.innerType._zod.def.type)
        ? def.innerType._zod.def.type
        : `${typeOf(def.innerType, names, indent)} | undefined`;
    case "default":
      return typeOf(def.innerType, names, indent);
    case "object":
      return objectType(schema, names, indent);
    default:
      throw new Error(`z.${def.type} has no place in the types`);
  }
}

/** A schema with a description of its own place is a copy, which knows what it was made from. */
function nameOf(schema, names) {
  for (let at = schema; at !== undefined; at = at._zod.parent) if (names.has(at)) return names.get(at);
  return undefined;
}

/** Of readonly arrays, so that lists which nobody may change, and what is written `as const`, fit as well. */
const arrayOf = (element) =>
  /^readonly|[|{]/.test(element) && !element.startsWith("{")
    ? `readonly (${element})[]`
    : `readonly ${element}[]`;

function comment(text, indent) {
  const oneLine = `${indent}/** ${text} */\n`;
  if (oneLine.length <= WIDTH) return oneLine;
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line !== "" && indent.length + 3 + line.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
}
