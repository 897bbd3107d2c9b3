import { defineConfig } from "tsup";

// `bundle: false`: dist mirrors src, so an unused metric costs a bundler nothing and stack traces name real files.
export default defineConfig({
  entry: ["src/**/*.ts"],
  format: "esm",
  target: "es2022",
  platform: "neutral",
  bundle: false,
  sourcemap: true,
  clean: true,
  dts: false,
});
