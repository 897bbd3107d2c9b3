import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";

/** Where something is exported, and under which name. */
interface Origin {
  readonly file: string;
  readonly name: string;
}

const parse = (path: string, text: string): ts.SourceFile =>
  ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
const sourceOf = (from: string, { text }: ts.StringLiteral): string =>
  join(dirname(from), text.replace(/\.js$/, ".ts"));
const isDoor = (path: string): boolean => path.endsWith("/index.ts");

/** What each index shows, by name. */
const doors = new Map<string, ReadonlyMap<string, Origin>>();

function shownBy(door: string): ReadonlyMap<string, Origin> {
  const known = doors.get(door);
  if (known !== undefined) return known;
  const shown = new Map<string, Origin>();
  doors.set(door, shown);
  for (const statement of parse(door, readFileSync(door, "utf8")).statements) {
    if (!ts.isExportDeclaration(statement)) continue;
    const { exportClause, moduleSpecifier } = statement;
    if (!exportClause || !ts.isNamedExports(exportClause) || !moduleSpecifier) continue;
    const file = sourceOf(door, moduleSpecifier as ts.StringLiteral);
    for (const { name, propertyName = name } of exportClause.elements)
      shown.set(name.text, originOf(file, propertyName.text));
  }
  return shown;
}

function originOf(file: string, name: string): Origin {
  return (isDoor(file) ? shownBy(file).get(name) : undefined) ?? { file, name };
}

/** Imports of values through an index, as imports from the files that have them; types are left out. */
function direct(
  path: string,
  { importClause, moduleSpecifier }: ts.ImportDeclaration,
  isClosed: (door: string) => boolean,
): string | undefined {
  const named = importClause?.namedBindings;
  const specifier = moduleSpecifier as ts.StringLiteral;
  if (!specifier.text.startsWith(".") || !named || !ts.isNamedImports(named)) return undefined;
  const door = sourceOf(path, specifier);
  if (importClause?.isTypeOnly !== false || !isDoor(door) || isClosed(door)) return undefined;
  return named.elements
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map(({ name: local, propertyName = local }) => {
      const { file, name } = originOf(door, propertyName.text);
      return `import { ${name} as ${local.text} } from "${pathFrom(path, file)}";`;
    })
    .join(" ");
}

/** The names that a use of `await import()` takes from the module, where they are all that it takes. */
function namesTaken({ parent: awaited }: ts.CallExpression): readonly string[] | undefined {
  if (!ts.isAwaitExpression(awaited)) return undefined;
  const { parent: use } = awaited;
  if (ts.isVariableDeclaration(use) && ts.isObjectBindingPattern(use.name))
    return use.name.elements.map(({ name, propertyName = name }) => (propertyName as ts.Identifier).text);
  const outer = ts.isParenthesizedExpression(use) ? use.parent : use;
  return ts.isPropertyAccessExpression(outer) ? [outer.name.text] : undefined;
}

/** An import that waits for its use, where one file has all that is taken. */
function directLater(
  path: string,
  call: ts.CallExpression,
  isClosed: (door: string) => boolean,
): string | undefined {
  const [specifier] = call.arguments;
  const names = namesTaken(call);
  if (specifier === undefined || !ts.isStringLiteral(specifier) || names === undefined) return undefined;
  const door = specifier.text.startsWith(".") ? sourceOf(path, specifier) : "";
  if (!isDoor(door) || isClosed(door)) return undefined;
  const origins = names.map((name) => ({ ...originOf(door, name), taken: name }));
  const [first] = origins;
  const isOne = origins.every(({ file, name, taken }) => file === first?.file && name === taken);
  return first !== undefined && isOne ? `import("${pathFrom(path, first.file)}")` : undefined;
}

function pathFrom(path: string, file: string): string {
  const from = relative(dirname(path), file).replace(/\.ts$/, ".js");
  return from.startsWith(".") ? from : `./${from}`;
}

/**
 * The text of a file of `src` whose imports lead past the doors of rooms, straight to the files. A bundler
 * that splits goes by files: what imports one thing through an index would load all that the index names.
 *
 * @param isClosed whether an index is to stay the door, given its path.
 */
export function withDirectImports(path: string, text: string, isClosed: (door: string) => boolean): string {
  const edits: { readonly node: ts.Node; readonly code: string }[] = [];
  const visit = (node: ts.Node): void => {
    const code = ts.isImportDeclaration(node)
      ? direct(path, node, isClosed)
      : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
        ? directLater(path, node, isClosed)
        : undefined;
    if (code === undefined) ts.forEachChild(node, visit);
    else edits.push({ node, code });
  };
  const source = parse(path, text);
  visit(source);
  return edits.reduceRight(
    (rest, { node, code }) => rest.slice(0, node.getStart(source)) + code + rest.slice(node.end),
    text,
  );
}
