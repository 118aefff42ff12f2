// What is unknown before and after alike hides nothing that is known: every default OpenSearch gives each user an index of
// the user's own name, of which it is unknown whether it is one of those that a plan is about.
// A loss that takes a restriction along may show more to a user whom the unknown grant covers: that is reported beside it
// (unknown.test.ts plays both cases). The pair with a known user name is certain again.
import { expect, test } from "vitest";
import { compareAccess } from "../../src/access/compare/compare.ts";
import type { AccessDifference } from "../../src/model/access.ts";
import { randomFrom } from "../fixtures/index.ts";
import type { Fixture } from "../support/evaluated.ts";
import { countOf } from "../support/extent.ts";
import { modelOfFixture } from "../support/modelled.ts";
import { brokenDiff } from "./access/diff.ts";
import { products, walk } from "./access/fixtures.ts";
import { seed, seeds } from "./seed.ts";

const minutes = 600_000;
const sample = seeds(40, 2);

/** As it comes with the product. */
const ownRole = { index_permissions: [{ index_patterns: ["${user_name}"], allowed_actions: ["*"] }] };
const ownMapping = { users: ["*"] };

function withOwnIndex(fixture: Fixture): Fixture {
  return {
    ...fixture,
    roles: { ...fixture.roles, own_index: ownRole },
    mappings: { ...fixture.mappings, own_index: ownMapping },
  };
}

/** What is seen by the unknown grant alone is part of it. */
function isKnown({ kind, depends }: AccessDifference): boolean {
  return kind !== "may-change" || depends !== undefined;
}

test.each(products)(
  `the known part is said as if the unknown part were not there, seed ${seed}: %s`,
  (product) => {
    let [reported, beside] = [0, 0];
    for (const each of sample) {
      const all = [...walk(randomFrom(`unchanged ${product} ${each}`), product, countOf(20, 12))];
      // There a role that restricts nothing lifts what others restrict: the unknown part is more than a grant.
      // And where blocks let in some by name, all of a principal without a name is unknown.
      const fixtures = all.filter(
        ({ settings, blocks = [] }) =>
          !settings?.dfm_empty_overrides_all &&
          !blocks.some(({ type, verdict }) => type === "name" && verdict === "allow"),
      );
      for (const [at, after] of fixtures.slice(1).entries()) {
        const before = fixtures[at] ?? after;
        const [was, is] = [withOwnIndex(before), withOwnIndex(after)];
        const broken = brokenDiff(was, is, isKnown);
        if (broken.length > 0) expect({ was, is, broken }).toEqual({ was, is, broken: [] });
        const { statements, unchanged } = compareAccess(modelOfFixture(was), modelOfFixture(is));
        const differences = statements.flatMap((statement) => statement.differences);
        reported += differences.length;
        beside += differences.filter(({ besides }) => besides).length;
        // Once for all, and only where it has to do with what is said.
        expect(unchanged.length).toBe(differences.some(({ besides }) => besides) ? 1 : 0);
      }
    }
    expect(reported).toBeGreaterThan(0);
    expect(beside).toBeGreaterThan(0);
  },
  minutes,
);
