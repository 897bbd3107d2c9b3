import { collectData, type CollectedContents } from "./static-data.js";
import { staticPage } from "./page.js";
import { Project } from "./project.js";
import type { Reveals } from "./reports.js";
import type { WorkbenchOptions } from "./workbench.js";

/** What a page without a server is made of. */
export interface StaticWorkbenchOptions
  extends Pick<WorkbenchOptions, "config" | "store" | "labels" | "golden" | "version">, Partial<Reveals> {}

/** The page as one file, and what is in it. */
export interface StaticWorkbench {
  readonly html: string;
  /** Of each dataset and golden set; none where there is no project. */
  readonly contents: readonly CollectedContents[];
  /** Names of people that stand in it. */
  readonly raters: readonly string[];
  /** Parts of the project that could not be read, and are left out. */
  readonly problems: readonly string[];
}

/**
 * The workbench of a project as one file for any file host, with the data in it; without a project the page
 * alone, which is given files. It asks nothing of a network.
 */
export async function staticWorkbench({
  config,
  store,
  labels,
  golden,
  version,
  texts = true,
  raters = true,
}: StaticWorkbenchOptions): Promise<StaticWorkbench> {
  const project = new Project({ config, store, labels, showsImages: false, isWordless: !texts }, golden);
  await project.refresh();
  const { data, ...collected } = await collectData(project, version, { texts, raters });
  return { html: staticPage(data), ...collected };
}
