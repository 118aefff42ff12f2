import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    testTimeout: 20_000,
    // By default one core is left idle, which on a machine of two is half of it.
    maxWorkers: "100%",
    isolate: false,
  },
});
