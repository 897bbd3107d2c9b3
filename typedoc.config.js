import { readFileSync } from "node:fs";

const { exports } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const indexes = Object.values(exports).flatMap(({ default: index }) => index ?? []);

export default {
  // The entries of the package.
  entryPoints: indexes.map((path) => path.replace(/^\.\/dist\/(.*)\.js$/, "src/$1.ts")),
  tsconfig: "tsconfig.build.json",
  out: "docs/api",
  name: "rankproof",
  readme: "none",
  treatWarningsAsErrors: true,
  excludePrivate: true,
  hideGenerator: true,
  disableGit: true,
  sourceLinkTemplate: "src/{path}",
  // Names of tables, and short names for what the signature beside them says.
  intentionallyNotExported: [
    ..."errorCodes furtherCorrections profiles readFormats rerankForms warningCodes".split(" "),
    ..."Asked Candidate Finding Given Grades ListScores Locate Scores Separator Settings Widened".split(" "),
  ],
  validation: { notExported: true, invalidLink: true, notDocumented: true },
  requiredToBeDocumented: ["Function", "Class", "Interface", "TypeAlias", "Variable"],
};
