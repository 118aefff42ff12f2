import { expect, test } from "vitest";
import { getCompileCacheFolder } from "../../../src/cli/compile-cache.ts";

test.each([
  ["the user's cache folder", { XDG_CACHE_HOME: "/cache", HOME: "/home/ana" }, "/cache/gate-sync/compiled"],
  ["below the home folder", { HOME: "/home/ana" }, "/home/ana/.cache/gate-sync/compiled"],
  ["not in a folder relative to where the user is", { XDG_CACHE_HOME: "cache" }, undefined],
  ["nowhere without a home", {}, undefined],
  ["nowhere with an empty one", { XDG_CACHE_HOME: "", HOME: "" }, undefined],
])("compiled code is kept in %s", (_, env, folder) => expect(getCompileCacheFolder(env)).toBe(folder));
