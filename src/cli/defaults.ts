/** Where runs are kept when nothing else is said. */
export const DEFAULT_STORE = ".rankproof/store.sqlite";
/** What `init` writes and the other commands look for. */
export const DEFAULT_GOLDEN = "golden.yaml";
/** Where a flag has its value from when the configuration gives it. */
export const FROM_CONFIG = "config";
/** Set in the environment of a run that `run --watch` has started. */
export const WATCHED = "RANKPROOF_WATCHED";
