import { oneLine } from "../foundation/text/index.js";
import { escapeMarkdown, escapeSentence } from "./escape-markdown.js";
import { html, type Markup } from "./html/markup.js";
import { markdownTable } from "./markdown-table.js";
import type { BoardScore, ScoreBoard } from "./score-board.js";

/** The forms of a table of scores for a paper, a page or an issue. */
export const scoreTableFormats = ["md", "html", "latex"] as const;

/** One of {@link scoreTableFormats}. */
export type ScoreTableFormat = (typeof scoreTableFormats)[number];

/**
 * Runs by metrics as one table: the best of each metric in bold, with letters of groups that do not differ.
 */
export function renderScoreTable(board: ScoreBoard, format: ScoreTableFormat): string {
  return { md: asMarkdown, html: asHtml, latex: asLatex }[format](board);
}

function asMarkdown({ metrics, rows, note }: ScoreBoard): string {
  const cell = ({ printed, isBest, groups }: BoardScore): string =>
    `${isBest ? `**${printed}**` : printed}${groups === "" ? "" : ` ${groups}`}`;
  const table = markdownTable(
    ["run", ...metrics.map(escapeMarkdown)],
    `l${"r".repeat(metrics.length)}`,
    rows.map(({ run, scores }) => [escapeMarkdown(run), ...scores.map(cell)]),
  );
  return `${table}\n${note === "" ? "" : `\n${escapeSentence(note)}\n`}`;
}

function asHtml({ metrics, rows, note }: ScoreBoard): string {
  const cell = ({ printed, isBest, groups }: BoardScore): Markup =>
    html`
      <td>${isBest ? html`<b>${printed}</b>` : printed}${groups === "" ? "" : html`<sup>${groups}</sup>`}</td>
    `;
  const table = html`
    <table>
      <thead>
        <tr><th scope="col">run</th>${metrics.map((metric) => html`<th scope="col">${metric}</th>`)}</tr>
      </thead>
      <tbody>
        ${rows.map(({ run, scores }) => html`<tr><th scope="row">${run}</th>${scores.map(cell)}</tr>`)}
      </tbody>
    </table>
  `;
  return `${[table, ...(note === "" ? [] : [html`<p>${note}</p>`])].map(({ text }) => text).join("\n")}\n`;
}

/** A `tabular` for the package booktabs. */
function asLatex({ metrics, rows, note }: ScoreBoard): string {
  const cell = ({ printed, isBest, groups }: BoardScore): string =>
    (isBest ? `\\textbf{${printed}}` : latex(printed)) +
    (groups === "" ? "" : `\\textsuperscript{${groups}}`);
  const line = (cells: readonly string[]): string => `${cells.join(" & ")} \\\\`;
  return [
    ...(note === "" ? [] : [`% ${oneLine(note)}`]),
    `\\begin{tabular}{l${"r".repeat(metrics.length)}}`,
    "\\toprule",
    line(["run", ...metrics.map(latex)]),
    "\\midrule",
    // A row may not begin with what the line before takes for an option: [ or *.
    ...rows.map(({ run, scores }) => line([`{}${latex(run)}`, ...scores.map(cell)])),
    "\\bottomrule",
    "\\end{tabular}",
    "",
  ].join("\n");
}

const LATEX: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "—": "---",
  "-": "-{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
};

/** Foreign text for LaTeX: it shows what it says and is no command. */
function latex(text: string): string {
  return oneLine(text).replace(/-(?=-)|[\\~^—{}$&#%_<>|]/g, (char) => LATEX[char] ?? `\\${char}`);
}
