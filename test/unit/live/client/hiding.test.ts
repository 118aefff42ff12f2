import { expect, test } from "vitest";
import { Secret } from "../../../../src/json/secret.ts";
import { createTargetLoginHider } from "../../../../src/live/client/hiding.ts";
import type { Target } from "../../../../src/model/target.ts";

test.each([
  [
    "tenant-permissions",
    "index tenant-permissions of tenant-permissions-old",
    "index (our login) of tenant-permissions-old",
  ],
  [
    "multi_rolespan",
    "config.dynamic.multi_rolespan_enabled: multi_rolespan",
    "config.dynamic.multi_rolespan_enabled: (our login)",
  ],
  ["multi_rolespan_enabled", "multi_rolespan_enabled: true", "multi_rolespan_enabled: true"],
  ["index_permissions", "index_permissions: []", "index_permissions: []"],
  ["unsupported-here", "unsupported-here", "unsupported-here"],
  ["hunter2hunter2", "xhunter2hunter2y", "x(our login)y"],
  ["RemoteHeader", "xRemoteHeadery", "x(our login)y"],
  ["role", "role", "role"],
])("the password %s in %j", (password, text, shown) => {
  const auth = { kind: "basic", username: "ana", password: new Secret("${env:P}", password) } as const;
  const target = { name: "dev", auth } as unknown as Target;
  expect(createTargetLoginHider(target)(text)).toBe(shown);
});
