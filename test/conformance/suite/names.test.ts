// Names that hurt: in URLs, and in the pointers of a bulk PATCH.
import { expect } from "vitest";
import { type Case, onServers, reported, where } from "./case.ts";
import type { Facts, Stage } from "./stage.ts";

onServers("usual", "names", (_, facts) => [
  ...names.filter((name) => !isDotted(name, facts)).map((name) => byUrl(name, facts)),
  ...names.filter((name) => !isDotted(name, facts)).map((name) => byPointer(name, facts)),
  ...where(facts.name === "search-guard-6", dotted),
]);

const names: readonly string[] = [
  "su/ite",
  "su%ite",
  "su%2Fite",
  "suite.",
  "su.ite",
  "..",
  "su ite",
  " suite",
  'su"ite',
  "su\\ite",
  "su\nite",
  "su~ite",
  "su~0ite",
  "su~1ite",
  "su+ite",
  "su?ite#",
  "süïte",
  "suite 😀",
  "__proto__",
  "557",
  "s".repeat(250),
];

/** These are another scenario on 6. */
function isDotted(name: string, facts: Facts): boolean {
  return facts.name === "search-guard-6" && name.includes(".");
}

function fieldsOn({ name }: Facts): object {
  return name === "search-guard-6" ? { permissions: ["x"] } : { allowed_actions: ["x"] };
}

function byUrl(name: string, facts: Facts): Case {
  const at = `actiongroups/${encodeURIComponent(name)}`;
  return {
    title: `${explained(name)}: written, shown and deleted by its URL`,
    steps: [
      { ask: `PUT ${at}`, send: fieldsOn(facts), status: 201, shows: reported(201, `'${name}' created.`) },
      {
        ask: `GET ${at}`,
        status: 200,
        shows: ({ json }: { readonly json: unknown }) => expect(Object.keys(json as object)).toEqual([name]),
      },
      { ask: `DELETE ${at}`, status: 200, shows: reported(200, `'${name}' deleted.`) },
      { ask: `GET ${at}`, status: 404 },
    ],
  };
}

/** Added by one bulk PATCH and removed by another; where the server reads the pointer wrongly, the case says what becomes of it. */
function byPointer(name: string, facts: Facts): Case {
  const pointer = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const wrong = misread(name, facts);
  return {
    title: `${explained(name)}: ${wrong === undefined ? "added and removed" : `takes ${explained(wrong)} for it`} by a bulk PATCH`,
    steps: async (stage) => {
      const before = await shown(stage);
      await stage.ask({
        method: "PATCH",
        path: "actiongroups",
        send: [{ op: "add", path: pointer, value: fieldsOn(facts) }],
      });
      const added = (await shown(stage)).filter((entry) => !before.includes(entry));
      expect(added).toEqual([wrong ?? name]);
      await stage.ask({ method: "PATCH", path: "actiongroups", send: [{ op: "remove", path: pointer }] });
      const left = await shown(stage);
      if (wrong === undefined) expect(left).toEqual(before);
    },
  };
}

/** What a server takes a pointer to this name for, where it is not this name. */
function misread(name: string, { product }: Facts): string | undefined {
  // The escapes of the last token are taken away twice: by OpenSearch both, by Search Guard only that of the slash.
  const isOpenSearch = product === "opensearch";
  const unescaped = name.replaceAll("~1", "/").replaceAll("~0", isOpenSearch ? "~" : "~0");
  if (unescaped !== name) return unescaped;
  // Search Guard writes the name as JSON would, and forgets to read it so; of a quote it loses the quote itself.
  const escaped = JSON.stringify(name).slice(1, -1).replaceAll('\\"', "\\");
  return isOpenSearch || escaped === name ? undefined : escaped;
}

async function shown(stage: Stage): Promise<readonly string[]> {
  const { json } = await stage.ask({ method: "GET", path: "actiongroups" });
  return Object.keys(json as object).sort();
}

function explained(name: string): string {
  return name.length > 40 ? `a name of ${name.length} characters` : JSON.stringify(name);
}

const dotted: readonly Case[] = [
  {
    title: "a name with a dot is written and never found again, but below its first part",
    steps: [
      {
        ask: "PUT actiongroups/suite_dot.b",
        send: { permissions: ["x"] },
        status: 201,
        shows: reported(201, "'suite_dot.b' created."),
      },
      { ask: "GET actiongroups/suite_dot.b", status: 404 },
      { ask: "DELETE actiongroups/suite_dot.b", status: 404 },
      { ask: "GET actiongroups/suite_dot", status: 200, shows: { suite_dot: { b: { permissions: ["x"] } } } },
      { ask: "DELETE actiongroups/suite_dot", status: 200 },
    ],
  },
];
