export { generateWorld, type WorldOptions } from "./generate.ts";
export { nastyNames } from "./names.ts";
export { type Random, randomFrom } from "./random.ts";
export { shuffleWorld } from "./shuffle.ts";
export { type SmallOptions, smallNames, smallWorlds } from "./small.ts";
export { changedFamilies, count, type DesiredWorld, type Expected, refusedDeletions, type World } from "./world.ts";
export { layOut, writeWorld } from "./write.ts";
