const KEY = "rankproof-token";

/**
 * Takes the token out of the address before anything else sees it, and keeps it for this tab: a reload has it
 * still, and no history, bookmark or copied address does.
 */
export function takeToken(): string {
  const match = /(?:^#|[#&])token=([\w-]+)$/.exec(location.hash);
  if (match !== null) {
    sessionStorage.setItem(KEY, match[1] ?? "");
    history.replaceState(null, "", location.pathname + location.hash.replace(/#?&?token=[\w-]+$/, ""));
  }
  return sessionStorage.getItem(KEY) ?? "";
}
