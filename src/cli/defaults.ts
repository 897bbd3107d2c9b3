/** Where runs are kept when nothing else is said. */
export const DEFAULT_STORE = ".rankproof/store.sqlite";
/** What `init` writes and the other commands look for. */
export const DEFAULT_GOLDEN = "golden.yaml";
