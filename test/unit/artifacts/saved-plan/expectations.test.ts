import { expect, test } from "vitest";
import { encodeExpectations, restoreExpectations } from "../../../../src/artifacts/saved-plan/expectations.ts";
import { parseAccessTests } from "../../../../src/normalise/access-tests.ts";
import { repositoryOf } from "../../../support/nodes.ts";

const written = `access_tests:
  - { name: x, as: ana, action: [search, get], index: a, expect: allowed, sees: everything }
  - { as: { user: u, backend_roles: [b], host: h }, action: write, tenant: t, expect: denied, allow_unknown: true }
  - { only: { users: [u], roles: [r] }, action: health }
`;

test("access tests come out of a plan file as they went in, but for where they end", () => {
  const { tests } = parseAccessTests(repositoryOf({ "a.yml": written }));
  const saved = encodeExpectations({ tests, personas: new Map() });
  const bare = (some: typeof tests) =>
    some.map(({ origin, who, ...rest }) => ({ ...rest, who: who.kind === "persona" ? who.name : who }));
  expect(tests).toHaveLength(3);
  expect(bare(restoreExpectations(saved).tests)).toEqual(bare(tests));
});
