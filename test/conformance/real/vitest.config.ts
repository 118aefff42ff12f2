import { defineConfig } from "vitest/config";
import { nativeModules } from "../../support/native-modules.ts";

// The suite against one real server: one file after the other, as they share it. The program was built before.
export default defineConfig({
  test: {
    root: new URL("../../..", import.meta.url).pathname,
    include: ["test/conformance/suite/*.test.ts", "test/conformance/real/*.test.ts"],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    experimental: nativeModules,
  },
});
