/** What is to be done when a signal is aborted, and the one listener that does it. */
interface Followers {
  readonly acts: Set<() => void>;
  readonly listener: () => void;
}

const followersOf = new WeakMap<AbortSignal, Followers>();

/**
 * Acts when a signal is aborted, until what is returned is called. However many do: they share one listener,
 * since Node warns of eleven on one signal.
 */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  let followers = followersOf.get(signal);
  if (followers === undefined) {
    const acts = new Set<() => void>();
    followers = { acts, listener: () => acts.forEach((each) => each()) };
    followersOf.set(signal, followers);
    signal.addEventListener("abort", followers.listener, { once: true });
  }
  const { acts, listener } = followers;
  acts.add(act);
  return () => {
    acts.delete(act);
    if (acts.size > 0 || followersOf.get(signal)?.acts !== acts) return;
    followersOf.delete(signal);
    signal.removeEventListener("abort", listener);
  };
}
