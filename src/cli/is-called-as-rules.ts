import { isAbsolute } from "node:path";

/** Whether a rule is called as a file of rules is: no rule ends like that, or begins like a whole path. */
export function isCalledAsRules(rule: string): boolean {
  return isAbsolute(rule) || /^[^\s<>=]+\.(?:txt|ya?ml|json)(?:\.gz)?$/i.test(rule);
}
