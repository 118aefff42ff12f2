import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { isWhole } from "./support/extent.ts";

/** Files go by size, and the laws that take minutes are the smallest: at the end one worker would be left with them alone. */
class LongLawsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLaw = ({ moduleId }: TestSpecification): boolean => moduleId.includes("/test/laws/");
    const sorted = await super.sort(files);
    return [...sorted.filter(isLaw).reverse(), ...sorted.filter((file) => !isLaw(file))];
  }
}

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    // For what hangs, not for what is slow: a loaded machine takes ten times as long.
    testTimeout: 180_000,
    ...(isWhole && { sequence: { sequencer: LongLawsFirst } }),
    // By default one core is left idle, which on a machine of two is half of it.
    maxWorkers: "100%",
    isolate: false,
  },
});
