import ts from "typescript";

/**
 * The source of a schema without what it says of its fields, which is for those who read `rankproof/schema`
 * and the JSON schemas: the command line and the pages only check by them.
 *
 * @param {string} path
 * @param {string} text
 * @returns {string}
 */
export function withoutDescriptions(path, text) {
  const calls = [];
  const visit = (node) => {
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.text === "describe"
    )
      calls.push({ from: node.expression.expression.end, to: node.end });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return calls
    .sort((a, b) => b.from - a.from)
    .reduce((rest, { from, to }) => rest.slice(0, from) + rest.slice(to), text);
}
