import { expect, test } from "vitest";
import { findMaskEffect } from "../../../../src/access/evaluate/mask-effect.ts";
import { formatMasks } from "../../../../src/render/views/masks.ts";

// What OpenSearch 2.19.1 and Search Guard 7.5.1-38 showed of the value "red" is beside each.
test.each([
  ["a", "masked"], // a hash
  ["a::SHA-1", "masked"], // a hash
  ["a::/.*/::*", "masked"], // **
  ["a::/^.*$/::-", "unknown"], // - of "red", all of a value with a line break
  ["a::/(?s)^.*$/::-", "masked"],
  ["a::/./::#", "masked"], // ###
  ["a::/.*/::*::/x/::y", "masked"], // **
  ["a::/(.*)/::$1", "shown"], // red
  ["a::/.+/::$0", "shown"], // red
  ["a::/(.*)/::$1::/[a-z]+/::$0", "shown"],
  ["a::/(.)(.*)/::$1$2", "shown"],
  ["a::/^(?<first>[a-z])(?<rest>\\(|x|.*)$/::${first}$2", "shown"],
  ["a::/e/::e", "shown"],
  ["a::/(.)(.*)/::$2$1", "unknown"],
  ["a::/(.)(.*)/::$1", "unknown"],
  ["a::/(.)x(.*)/::$1$2", "unknown"],
  ["a::/(.)*/::$1", "unknown"],
  ["a::/(?<b>.)(.*)/::${b}", "unknown"],
  ["a::/([)(])/::$1$2", "unknown"],
  ["a::/e./::e.", "unknown"],
  ["a::/zzz/::*", "unknown"], // red
  ["a::/[a-z]+/::", "unknown"], // nothing
  ["a::/(r)(.*)/::$1", "unknown"], // r
  ["a::/(.+)/::<$1>", "unknown"], // <red>
  ["a::/(?:x)/::$1", "unknown"],
  ["a::/(a|b)|c/::$1", "unknown"],
  ["a::/(.*)/::$1::/r/::-", "unknown"],
] as const)("%s: %s", (mask, effect) => {
  expect(findMaskEffect(mask)).toBe(effect);
});

test("what can be read of a mask is said", () => {
  expect(formatMasks(["a", "b::SHA-1"])).toBe("a, b::SHA-1");
  expect(formatMasks(["a", "b::/zzz/::*", "c::/(.*)/::$1"])).toBe(
    "a; b::/zzz/::* (readable is what the expression leaves); c::/(.*)/::$1 (readable: the expression gives back what it finds)",
  );
});
