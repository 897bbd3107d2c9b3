import { tabTexts } from "./kept-texts.js";

const KEY = "rankproof-token";

/**
 * Takes the token out of the address before anything else sees it, and keeps it for this tab: a reload has it
 * still, and no history, bookmark or copied address does.
 */
export function takeToken(): string {
  const match = /(?:^#|[#&])token=([\w-]+)$/.exec(location.hash);
  if (match !== null) {
    tabTexts.set(KEY, match[1] ?? "");
    history.replaceState(null, "", location.pathname + location.hash.replace(/#?&?token=[\w-]+$/, ""));
  }
  return tabTexts.get(KEY) ?? "";
}

/** A tab without a key asks for it here; tabs of other addresses hear nothing. */
const CHANNEL = "rankproof-key";
const ASKING = "key?";
let isAsking = false;
/** Tabs that nobody looks at answer late. */
const PATIENCE_MS = 2000;

/**
 * Gives the key to tabs of this address that ask for it, as those do that a link is opened in.
 *
 * @param isGood whether the server takes it still: it may have been started anew.
 */
export function shareToken(token: () => string, isGood: () => Promise<boolean>): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    // A tab that asks has none to give, and hears its own question.
    if (data === ASKING && !isAsking)
      void isGood().then((isTaken) => isTaken && channel.postMessage({ token: token() }));
  };
}

/** The key of another tab of this address, which this one keeps, too; null where no tab has one. */
export function askForToken(): Promise<string | null> {
  isAsking = true;
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise<string | null>((resolve) => {
    setTimeout(() => resolve(null), PATIENCE_MS);
    channel.onmessage = ({ data }: MessageEvent<{ readonly token?: string }>) => {
      if (data.token === undefined) return;
      tabTexts.set(KEY, data.token);
      resolve(data.token);
    };
    channel.postMessage(ASKING);
  }).finally(() => {
    isAsking = false;
    channel.close();
  });
}
