/** Node reads TypeScript from 22.18 on. */
const { typescript } = process.features as { readonly typescript?: "strip" | "transform" | false };

/**
 * For `experimental` of a test config: modules as Node itself loads them, which take a third less of the CPU than those that Vite
 * transforms. Only Vite loads again what changes while one watches.
 */
export const nativeModules =
  typescript && process.argv.includes("run") ? { viteModuleRunner: false, nodeLoader: false } : {};
