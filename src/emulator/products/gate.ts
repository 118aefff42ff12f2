// The documented API without a vendor: what the documentation states explicitly is here with its section, and the rest
// is as Search Guard 7.
import type { Dialect } from "../../dialects/dialect.ts";
import { type ConfigPlace, configPlaces, getPlaceBelow } from "../../families/config.ts";
import { compareByCodeUnit } from "../../json/canonical.ts";
import { type ResourceFamily, resourceFamilies } from "../../model/names.ts";
import type { ConfigModel, ProductModel, ProductTexts, SegmentFacts } from "../product.ts";
import { bodyRequired, createEngineFailure, createInvalidReply, createReply, type Reply } from "../reply.ts";
import { applyPatch, type TreeOrRefusal } from "../values/patch.ts";
import { documentedPatch, splitBrackets } from "../values/patch-libraries.ts";
import type { Tree } from "../values/tree.ts";
import { convertGroupStep, createGateEntries } from "./gate-entries.ts";
import { createPatchModel, identity, refuseBadPatch, searchGuardCommon, searchGuardTexts } from "./search-guard.ts";

/** The engine that each release ran on; `GET /` shows it unless another one is stated. */
const engines: Readonly<Record<string, string>> = {
  "6.x-24": "6.5.4",
  "6.x-25": "6.8.1",
  "7.x-37.0.0": "7.3.2",
  "7.x-38.0.0": "7.5.1",
  "7.x-40.0.0": "7.5.2",
  "7.x-42.0.0": "7.7.1",
  "7.x-43.0.0": "7.8.1",
  FLX: "7.17.9",
};

export function getGateEngine(release: string): string {
  return engines[release] ?? "7.8.1";
}

export function createGateProduct(dialect: Dialect): ProductModel {
  const { prefix, collections, config, license, patch, actionGroup } = dialect;
  const without = ["GET", "PUT", "DELETE"];
  const methods = ["PATCH", ...without];
  const segments = resourceFamilies
    .filter((family) => family !== "internal_users")
    .map((family): readonly [string, SegmentFacts] => {
      const item = patch.has(family) ? methods : without;
      return [collections[family] ?? family, { family, item, collection: item.filter((one) => /PATCH|GET/.test(one)) }];
    });
  return {
    ...searchGuardCommon,
    title: "Gate",
    rolesWord: "Gate Roles",
    engine: {
      ...searchGuardCommon.engine,
      number: getGateEngine(dialect.release),
      build: {},
      documents: {
        methods: ["GET", "PUT", "POST", "DELETE"],
        noIndex: (index) => `no such index [${index}]`,
        ofIndex: [],
      },
      badEscape: (detail) => createEngineFailure(400, "illegal_argument_exception", detail),
    },
    routes: {
      prefixes: [prefix],
      collection: ["PATCH", "GET"],
      item: methods,
      license: ["DELETE", "GET", "PUT", "POST"],
      // Real servers put below the name.
      config: [
        {
          path: config.path,
          methods: { writable: ["PATCH", "GET", "PUT"], readOnly: ["GET"] },
          named: { methods: ["PUT"], any: false, whenReadOnly: false },
        },
      ],
      configEndpoint: "GATECONFIG",
      segments: new Map([...segments, ...(actionGroup.bare ? [singular] : [])]),
      otherPaths: new Map(),
    },
    identity,
    parserReports: true,
    texts,
    entries: createGateEntries(dialect),
    patch: {
      ...createPatchModel(refuseBadPatch, documentedPatch),
      apply: (document, steps, bulk) =>
        applyPatch(document, steps, documentedPatch, (step, root) =>
          splitBrackets(root, bulk === "action_groups" ? convertGroupStep(step, root, actionGroup.list) : step),
        ),
    },
    config: createGateConfig(config.key),
    license: {
      key: license?.key ?? "license",
      absent: () => ({
        msgs: ["No license required because enterprise modules not enabled."],
        license_required: false,
      }),
    },
    loads: () => true,
    sort: (entries) => [...entries].sort(([a], [b]) => scrambled(a) - scrambled(b) || compareByCodeUnit(a, b)),
    hasBuiltins: false,
  };
}

/** Section 4.3: the singular is deprecated in 6 and gone in 7. Real servers never knew PATCH there. */
const singular: readonly [string, SegmentFacts] = [
  "actiongroup",
  { family: "action_groups", collection: ["GET"], item: ["GET", "PUT", "DELETE"] },
];

/** Section 4.3: what is created says so, but for mappings and roles. */
const statesCreated: ReadonlySet<ResourceFamily | undefined> = new Set(["tenants", "action_groups", "blocks"] as const);

const texts: ProductTexts = {
  ...searchGuardTexts,
  // Section 2.8: kind, name and outcome.
  written: (outcome, kind, name, family) => {
    const message = `${kind} ${name} ${outcome}.`;
    if (outcome !== "created") return createReply(200, message);
    return createReply(201, message, statesCreated.has(family) ? "CREATED" : "OK");
  },
};

/** The order of a hash map: always the same for the same names, and never sorted. FNV-1a over the code units. */
function scrambled(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}

/** The document as it is stored: no default is filled in, so that none can be mistaken for a value. */
function createGateConfig(key: string): ConfigModel {
  return {
    key,
    load: (value) => value,
    show: (tree) => tree,
    writes: {
      // With its key around it, as documented, and without, as real servers have it.
      unwrap: (body) => (body instanceof Map && body.size === 1 ? (body.get(key) ?? body) : body),
      check: () => undefined,
      store: storeConfig,
      patchBase: (tree) => tree,
      misplaced: (document) => (document.size === 0 ? bodyRequired : refuseKeys([...document.keys()])),
    },
  };
}

function refuseKeys(names: readonly string[]): Reply {
  return createInvalidReply("Invalid configuration", { invalid_keys: { keys: names.join(",") } });
}

function storeConfig(value: Tree): TreeOrRefusal {
  if (!(value instanceof Map) || value.size === 0) return { refusal: bodyRequired };
  const unknown = [...value.keys()].filter((name) => name !== "dynamic");
  if (unknown.length > 0) return { refusal: refuseKeys(unknown) };
  const dynamic = value.get("dynamic") ?? new Map<string, Tree>();
  if (!(dynamic instanceof Map)) {
    return { refusal: createInvalidReply("Wrong datatype", { dynamic: "Object expected" }) };
  }
  const problems: string[] = [];
  const typed = asTyped(dynamic, { kind: "object", fields: configPlaces }, "dynamic", problems);
  const [problem] = problems;
  if (problem !== undefined) return { refusal: createEngineFailure(500, "invalid_format_exception", problem) };
  return { tree: new Map([["dynamic", typed]]) };
}

/** Section 5: booleans and numbers may come as text. What the place is not known for stays as it is. */
function asTyped(value: Tree, place: ConfigPlace | undefined, where: string, problems: string[]): Tree {
  if (value === null || place === undefined) return value;
  switch (place.kind) {
    case "boolean":
      if (typeof value === "boolean") return value;
      if (value === "true" || value === "false") return value === "true";
      problems.push(`Can not deserialize value of type boolean at "${where}"`);
      return value;
    case "integer":
      if (typeof value === "number" && Number.isInteger(value)) return value;
      if (typeof value === "string" && /^-?\d+$/.test(value)) return Number(value);
      problems.push(`Can not deserialize value of type int at "${where}"`);
      return value;
    case "object":
    case "named": {
      if (!(value instanceof Map)) return value;
      const members = [...value].map(([name, child]): [string, Tree] => [
        name,
        asTyped(child, getPlaceBelow(place, name), `${where}.${name}`, problems),
      ]);
      return new Map(members);
    }
    default:
      return value;
  }
}
