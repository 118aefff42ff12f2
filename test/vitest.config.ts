import { defineConfig } from "vitest/config";
import { isWhole } from "./support/extent.ts";

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    // A whole law takes what the machine takes for it; a test that hangs is found all the same.
    testTimeout: isWhole ? 180_000 : 20_000,
    // By default one core is left idle, which on a machine of two is half of it.
    maxWorkers: "100%",
    isolate: false,
  },
});
