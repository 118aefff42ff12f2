import { expect, test } from "vitest";
import { meansEverybody } from "../../../../src/access/patterns/everybody.ts";

test.for([
  ...["*", "**", "?*", "*?", "/.*/", "/.+/", "/.*$/", "/^.*/", "/(.*)/", "/(?:.+)/"].map(
    (each) => [each, true] as const,
  ),
  ...[
    "a*",
    "*a",
    "??*?????????????????????????????????????",
    "/[a-z]+/",
    "/[a-zA-Z0-9.@]+|CN.*/",
    "/svc.*/",
    "/(?i)x.*/",
    "ana",
    "",
    "/",
    "/(/",
  ].map((each) => [each, false] as const),
])("%s: %s", ([pattern, is]) => expect(meansEverybody(pattern, "names")).toBe(is));

test.for([
  ...["*", "*.*", "*.*.*.*", "/.+/", "?*"].map((each) => [each, true] as const),
  // A network by its mask meets nothing on these servers.
  ...["10.*", "0.0.0.0/0", "127.0.0.1"].map((each) => [each, false] as const),
])("address %s: %s", ([pattern, is]) => expect(meansEverybody(pattern, "addresses")).toBe(is));
