import { compareSystems } from "/tmp/reader-f/dist/index.js";
