import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { WorkbenchReport } from "../../records/index.js";
import { PRIMARY, PRIMARY_TITLE } from "./metric-name.js";
import { inWords } from "./printed.js";

/**
 * A report's own sections. Their HTML comes from the renderers of the reports, which escape foreign text; the
 * policy of the page keeps what would be a script from running.
 *
 * @param addressOf where the id of a query leads, from the section with this id.
 */
export function ReportSections({
  sections,
  addressOf,
}: {
  sections: WorkbenchReport["sections"];
  addressOf?: (query: string, section: string) => string;
}): JSX.Element | null {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (root.current !== null && addressOf !== undefined) startLinks(root.current, addressOf);
  });
  if (sections.length === 0) return null;
  return (
    <div class="report" ref={root}>
      {sections.map(({ id, html }) => (
        <div
          key={id}
          id={`part-${id}`}
          data-part={id}
          dangerouslySetInnerHTML={{ __html: amongOthers(html) }}
        />
      ))}
    </div>
  );
}

/** What the renderer wrote as text becomes a link. */
function startLinks(root: HTMLElement, addressOf: (query: string, section: string) => string): void {
  for (const element of root.querySelectorAll<HTMLElement>("[data-query-id]")) {
    const section = element.closest<HTMLElement>("[data-part]")?.dataset["part"] ?? "";
    const link = element.querySelector("a") ?? document.createElement("a");
    link.href = addressOf(decodeURIComponent(element.dataset["queryId"] ?? ""), section);
    if (!link.isConnected) {
      link.append(...element.childNodes);
      element.append(link);
    }
  }
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
