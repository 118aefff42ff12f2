// Who holds which role, as real servers said it of users and mappings that were put there; GATE_SYNC_RECORDINGS names
// the folder of these recordings.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isMapped } from "../../../src/access/model/mapped.ts";
import type { Fields } from "../../../src/json/value.ts";

const folder = process.env.GATE_SYNC_RECORDINGS ?? "";
const files = existsSync(folder) ? readdirSync(folder).filter((name) => /^access-.*\.jsonl$/.test(name)) : [];

interface Fixture {
  readonly world: string;
  readonly mappings?: Readonly<Record<string, Fields>>;
  readonly users: Readonly<Record<string, User>>;
  /** What the server did not take, as paths below its API. */
  readonly refused?: Readonly<Record<string, string>>;
}

interface User {
  readonly backend_roles: readonly string[];
  /** Carried by the user itself. */
  readonly direct_roles?: readonly string[];
}

interface Explained {
  readonly w: string;
  readonly u: string;
  readonly from?: string;
  readonly roles: readonly string[];
}

/** Node settings by which a backend role is a role: nothing that mappings say. */
const byNodeSetting = /^resolution@/;

describe.skipIf(files.length === 0)("recordings (skipped where GATE_SYNC_RECORDINGS names no folder)", () => {
  test.for(files)("%s", (file) => {
    const lines = readFileSync(join(folder, file), "utf8").trim().split("\n");
    const records = lines.map((line) => JSON.parse(line) as Partial<Fixture & Explained> & { readonly p?: string });
    const fixtures = new Map(records.filter(isFixture).map((fixture) => [fixture.world, fixture]));
    const verdicts = { yes: 0, no: 0, unknown: 0 };
    for (const { w, u, from, roles } of records.filter(isExplained)) {
      const fixture = fixtures.get(w);
      const user = fixture?.users[u];
      if (!fixture?.mappings || !user || byNodeSetting.test(w) || fixture.refused?.[`internalusers/${u}`]) continue;
      const identity = { user: u, backendRoles: user.backend_roles, address: from ?? "127.0.0.1" };
      for (const [role, mapping] of Object.entries(fixture.mappings)) {
        if (user.direct_roles?.includes(role) || fixture.refused?.[`rolesmapping/${role}`]) continue;
        const verdict = isMapped(canonical(mapping), identity);
        verdicts[verdict] += 1;
        if (verdict !== "unknown")
          expect([w, u, role, verdict]).toEqual([w, u, role, roles.includes(role) ? "yes" : "no"]);
      }
    }
    expect(verdicts.yes).toBeGreaterThan(100);
    expect(verdicts.no).toBeGreaterThan(100);
    expect(verdicts.unknown).toBeLessThan((verdicts.yes + verdicts.no) / 5);
  });
});

/** Search Guard 6 writes backend roles as one word. */
function canonical({ backendroles, ...mapping }: Fields): Fields {
  return { ...mapping, ...(backendroles !== undefined && { backend_roles: backendroles }) };
}

function isFixture(record: object): record is Fixture {
  return "world" in record;
}

function isExplained(record: object): record is Explained {
  return "roles" in record && "u" in record && "p" in record && String(record.p).endsWith("/authinfo");
}
