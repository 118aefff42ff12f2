import type { Reporter, TestModule } from "vitest/node";

/** Milliseconds: a file that takes longer is named when it ends. */
const slow = 5_000;

/** So many are named at the end. */
const mostNamed = 10;

/** Names slow test files as they end, and the slowest ones once more at the end of the run. */
export default class SlowFiles implements Reporter {
  readonly #took: { readonly file: string; readonly milliseconds: number }[] = [];

  onTestModuleEnd(module: TestModule): void {
    const milliseconds = module.diagnostic().duration;
    this.#took.push({ file: module.relativeModuleId, milliseconds });
    if (milliseconds >= slow) print(`slow: ${seconds(milliseconds)} ${module.relativeModuleId}`);
  }

  onTestRunEnd(): void {
    const slowest = this.#took.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, mostNamed);
    if (slowest.length < 2) return;
    print(["Slowest files", ...slowest.map(({ file, milliseconds }) => `${seconds(milliseconds)} ${file}`)].join("\n"));
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1).padStart(6)} s`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
