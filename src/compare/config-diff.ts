import { InputError, quote } from "../foundation/errors/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { configPath, isSecretKey, isSecretText, REDACTED } from "../foundation/text/index.js";
import type { ConfigDifference } from "../records/index.js";

/** Two secrets that are not the same one. */
const REDACTED_DIFFERENCE = "[redacted: differs]";

/**
 * Every leaf in which two configurations differ, sorted by path, with secrets redacted. A leaf that is absent
 * equals one that is null: programs differ in which they write.
 */
export function configDiff(a: unknown, b: unknown): ConfigDifference[] {
  const ours = leaves(a);
  const theirs = leaves(b);
  const paths = [...new Set([...ours.keys(), ...theirs.keys()])].sort(compareIds);
  return paths.flatMap((path) => {
    const x = ours.get(path) ?? NONE;
    const y = theirs.get(path) ?? NONE;
    if (JSON.stringify(x.value) === JSON.stringify(y.value)) return [];
    const hidden = x.isSecret && y.isSecret ? REDACTED_DIFFERENCE : REDACTED;
    return [{ path, a: x.isSecret ? hidden : x.value, b: y.isSecret ? hidden : y.value }];
  });
}

interface Leaf {
  readonly value: unknown;
  readonly isSecret: boolean;
}

const NONE: Leaf = { value: null, isSecret: false };

function leaves(root: unknown): Map<string, Leaf> {
  const found = new Map<string, Leaf>();
  // A list of pending nodes instead of recursion: a hostile snapshot may be nested deeper than the call
  // stack.
  const pending: { value: unknown; path: string; key: string; isSecret: boolean; isLeft?: true }[] = [
    { value: root, path: "", key: "", isSecret: false },
  ];
  const around = new Set<unknown>();
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { value, path, key, isSecret, isLeft } = node;
    if (isLeft) {
      around.delete(value);
      continue;
    }
    if (typeof value !== "object" || value === null || (Object.keys(value).length === 0 && path !== "")) {
      if (value !== null && value !== undefined)
        found.set(path, {
          value,
          isSecret: isSecret || (typeof value === "string" && isSecretText(value, key)),
        });
      continue;
    }
    if (around.has(value))
      throw new InputError(
        "RUN_SHAPE",
        `config_snapshot contains itself at ${quote(path)}, which JSON cannot hold; leave that out`,
      );
    around.add(value);
    pending.push({ ...node, isLeft: true });
    const isList = Array.isArray(value);
    for (const [name, child] of Object.entries(value)) {
      pending.push({
        value: child,
        path: configPath(path, name, isList),
        key: isList ? key : name,
        isSecret: isSecret || (!isList && isSecretKey(name)),
      });
    }
  }
  return found;
}
