import ts from "typescript";

/** What a card says for help texts, the pages of the documentation and the laws of metrics. */
const OF_CARDS = ["formula", "edges", "agreesWith", "paper", "exempt", "meaning"];

/**
 * The source of a metric or a fusion method without what its card says for people who look it up.
 *
 * @param {string} path
 * @param {string} text
 * @returns {string}
 */
export function withoutCardTexts(path, text) {
  const values = [];
  const visit = (node) => {
    if (ts.isPropertyAssignment(node) && OF_CARDS.includes(node.name.getText()))
      values.push({ from: node.initializer.getFullStart(), to: node.initializer.end });
    else ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return values
    .sort((a, b) => b.from - a.from)
    .reduce((rest, { from, to }) => `${rest.slice(0, from)} ""${rest.slice(to)}`, text);
}

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
