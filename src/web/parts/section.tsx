import type { JSX } from "preact";
import type { WorkbenchReport } from "../../records/index.js";

/**
 * A report's own sections. Their HTML comes from the renderers of the reports, which escape foreign text; the
 * policy of the page keeps what would be a script from running.
 */
export function ReportSections({ report }: { report: WorkbenchReport }): JSX.Element {
  return (
    <div class="report">
      {report.sections.map(({ id, html }) => (
        <div key={id} id={`part-${id}`} dangerouslySetInnerHTML={{ __html: html }} />
      ))}
    </div>
  );
}
