/** A screen, and what it is about: what stands in the address after the `#`. */
export interface Route {
  readonly screen: ScreenName;
  /** Id of a dataset or golden set; null on the first screen before one is chosen. */
  readonly collection: string | null;
  /** Of the screen of one query. */
  readonly query: string | null;
  readonly search: Readonly<Record<string, string>>;
}

/** The screens, by what the address calls them. */
export const SCREENS = {
  overview: {
    title: "Overview",
    key: "o",
    question: "Did the last change help, and can the labels be believed?",
  },
  queries: { title: "Queries", key: "q", question: "Which queries hurt?" },
  query: { title: "Query", key: "", question: "What came back, and what should have?" },
  label: { title: "Label", key: "l", question: "What is this item worth to this query?" },
  batches: { title: "History", key: "h", question: "Are we getting better?" },
  compare: { title: "Compare", key: "c", question: "Is the difference real, and where?" },
  trust: { title: "Trust", key: "t", question: "How far can the model's labels be trusted?" },
  builds: { title: "Builds", key: "b", question: "What did labelling cost, and where did it stop?" },
  tune: { title: "Tuning", key: "u", question: "Which setting, and will it hold?" },
} as const;

/** The name of a screen. */
export type ScreenName = keyof typeof SCREENS;

/** Reads an address; what it does not know leads to the first screen. */
export function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#?\/?/, "").split("?", 2);
  const parts = path.split("/").map(decodePart);
  const values = Object.fromEntries(new URLSearchParams(search));
  const [root, collection = null, screen = "queries", query = null] = parts;
  if (root === "compare")
    return { screen: "compare", collection: values["c"] ?? null, query: null, search: values };
  if (root !== "d" || collection === null || collection === "")
    return { screen: "overview", collection: values["c"] ?? null, query: null, search: values };
  if (screen === "q") return { screen: "query", collection, query: query ?? "", search: values };
  const known = Object.hasOwn(SCREENS, screen) ? (screen as ScreenName) : "queries";
  return { screen: known, collection, query: null, search: values };
}

/** The address of a screen. */
export function routeTo(
  screen: ScreenName,
  collection: string,
  search: Readonly<Record<string, string | undefined>> = {},
  query = "",
): string {
  const values = new URLSearchParams();
  const c = screen === "overview" || screen === "compare" ? { c: collection } : {};
  for (const [name, value] of Object.entries({ ...c, ...search }))
    if (value !== undefined) values.set(name, value);
  const tail = values.size === 0 ? "" : `?${values}`;
  const id = encodeURIComponent(collection.toWellFormed());
  if (screen === "overview") return `#/${tail}`;
  if (screen === "compare") return `#/compare${tail}`;
  if (screen === "queries") return `#/d/${id}${tail}`;
  if (screen === "query") return `#/d/${id}/q/${encodeURIComponent(query.toWellFormed())}${tail}`;
  return `#/d/${id}/${screen}${tail}`;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
