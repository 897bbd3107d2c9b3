/** A variable of the environment by its name; undefined where it is empty. */
export type Variables = (name: string) => string | undefined;

/** The variables of an environment such as `process.env`. */
export function variablesOf(env: Readonly<Record<string, string | undefined>>): Variables {
  return (name) => env[name]?.trim() || undefined;
}

/**
 * The first prefix whose key or base URL is set. Both are one pair: what is missing of it is never taken from
 * another one, so that no key reaches another party's host.
 */
export function endpointSource<T extends string>(set: Variables, prefixes: readonly T[]): T | undefined {
  return prefixes.find((name) => set(`${name}_API_KEY`) ?? set(`${name}_BASE_URL`));
}
