/** What other rooms need of this one, and users do not. */
export { locateBenchFixture } from "./bench-fixture.js";
export { runReader } from "./run-file.js";
