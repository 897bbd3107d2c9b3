import type { JSX } from "preact";
import type { WorkbenchReport } from "../../records/index.js";
import { PRIMARY, PRIMARY_TITLE } from "./metric-name.js";
import { inWords } from "./printed.js";

/**
 * A report's own sections. Their HTML comes from the renderers of the reports, which escape foreign text; the
 * policy of the page keeps what would be a script from running.
 */
export function ReportSections({ sections }: { sections: WorkbenchReport["sections"] }): JSX.Element | null {
  if (sections.length === 0) return null;
  return (
    <div class="report">
      {sections.map(({ id, html }) => (
        <div key={id} id={`part-${id}`} dangerouslySetInnerHTML={{ __html: amongOthers(html) }} />
      ))}
    </div>
  );
}

/**
 * A section among what else the page has: a table is no landmark of the name that its section has, and a
 * corner without a heading is no heading. In foreign text quotation marks are escaped, so that it stays.
 */
function amongOthers(html: string): string {
  return html
    .replaceAll('class="scroll" role="region"', 'class="scroll" role="group"')
    .replaceAll('<th scope="col"></th>', "<td></td>")
    .replaceAll(`<bdi>${PRIMARY}</bdi>`, `<abbr title="${PRIMARY_TITLE}">Primary score</abbr>`)
    .replace(/<p class="(?:headline|lead|trust)">[^<]*|<li>[^<]*/g, (opened) => {
      const text = opened.indexOf(">") + 1;
      return opened.slice(0, text) + inWords(opened.slice(text));
    });
}
