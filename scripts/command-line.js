// Bundles the command line by rolldown.config.ts, without a word for each of its files.
import { rolldown } from "rolldown";
import { loadConfig } from "rolldown/config";

for (const { output, ...input } of await loadConfig("rolldown.config.ts")) {
  const bundle = await rolldown(input);
  await bundle.write(output);
  await bundle.close();
}
