import { expect, test } from "vitest";
import { createDialect } from "../../../src/dialects/index.ts";
import type { Product } from "../../../src/model/plan.ts";
import type { Policies } from "../../../src/model/policy.ts";
import { validateShape } from "../../../src/validate/shape.ts";
import { validateValues } from "../../../src/validate/values.ts";
import { repositoryOf } from "../../support/nodes.ts";

function check(text: string, ...expected: readonly string[]): void {
  const found = validateValues(repositoryOf({ "state.yml": text }), createDialect("gate", "7.x-43.0.0"));
  expect(
    found.map(({ severity, code, range }) => `${severity} ${code} ${text.slice(range?.start, range?.end)}`),
  ).toEqual(expected);
}

test("two words for one thing cannot both count", () =>
  check("config: {dynamic: {kibana: {index: a}, dashboard: {index: b}}}", "error exclusive-fields dashboard"));

test("a license inside the config is not managed", () => {
  check("config: {dynamic: {license: abc}}", "warning unsupported-here license");
  check("config: {dynamic: {license: null}}");
});

test("fields that the product refuses are errors where the config is written, and warnings where it is only compared", () => {
  const of = (
    product: Product,
    release: string,
    dynamic: string,
    native = false,
    acceptFields: readonly string[] = [],
  ) => {
    const text = native ? `config: {dynamic: ${dynamic}}\n_meta: {type: config}` : `config: {dynamic: ${dynamic}}`;
    const options = { families: {}, acceptFields };
    return validateValues(repositoryOf({ "config.yml": text }), createDialect(product, release), options).map(
      ({ severity, range }) => `${severity} ${text.slice(range?.start, range?.end)}`,
    );
  };
  const [xff, kibana] = ["{http: {xff: {proxiesHeader: x}}}", "{kibana: {do_not_fail_on_forbidden: true}}"];
  const enabled = "{authc: {a: {enabled: true, order: 1}}}";
  expect(of("opensearch", "2.19", xff)).toEqual(["error proxiesHeader"]);
  expect(of("opensearch", "2.19", enabled)).toEqual(["error enabled"]);
  expect(of("opensearch", "2.19", enabled, true)).toEqual(["warning enabled"]);
  expect(of("opensearch", "2.19", enabled, false, ["enabled"])).toEqual([]);
  expect(of("search-guard", "7.x-38", kibana)).toEqual(["error do_not_fail_on_forbidden"]);
  expect(of("search-guard", "6", kibana)).toEqual([]);
  expect(of("gate", "7.x-43.0.0", xff)).toEqual([]);
  const later = "{auth_token_provider: {enabled: true}, kibana: {rbac_enabled: true}}";
  // What servers had until 2022 is left out, so that the server refuses nothing.
  expect(of("search-guard", "7.x-38", later)).toEqual(["warning auth_token_provider", "warning rbac_enabled"]);
  expect(of("opensearch", "2.19", later)).toEqual(["warning auth_token_provider", "warning rbac_enabled"]);
  expect(of("search-guard", "7", later)).toEqual([]);
  expect(of("opensearch", "2.19", "{on_behalf_of: {enabled: true}}")).toEqual([]);
  expect(of("opensearch", "2.11", "{on_behalf_of: {enabled: true}}")).toEqual(["error on_behalf_of"]);
  const newest = "{api_tokens: {enabled: true, max_tokens: 5}, kibana: {preferred_tenants: [a]}}";
  expect(of("opensearch", "3.7", newest)).toEqual([]);
  expect(of("opensearch", "3.6", newest)).toEqual(["error api_tokens", "error preferred_tenants"]);
});

test("another evaluation than v4 and legacy is an error, as servers take it for legacy", () => {
  const of = (type: string) =>
    validateShape(repositoryOf({ "config.yml": `config: {dynamic: {privileges_evaluation_type: ${type}}}` }), {
      acceptFields: [],
      families: {},
    }).map(({ severity, code }) => `${severity} ${code}`);
  expect(["v4", "legacy", "null"].flatMap(of)).toEqual([]);
  for (const type of ["v3", "v5", '"v4 "', "V4"]) expect(of(type)).toEqual(["error wrong-type"]);
});

test("the shape of a config that is only compared, and what Search Guard 6 ignores, is no error", () => {
  const of = (text: string, families: Policies = {}) =>
    validateShape(repositoryOf({ "config.yml": text }), { acceptFields: [], families }).map(({ severity }) => severity);
  const odd = "{dynamic: {authc: {a: {http_enable: true}}}}";
  const native = `_meta: {type: config}\nconfig: ${odd}`;
  expect(of(native)).toEqual(["warning"]);
  expect(of(native, { config: { mode: "manage" } })).toEqual(["error"]);
  expect(of(`searchguard: ${odd}`, { config: { mode: "manage" } })).toEqual(["warning"]);
});

test("how privileges are evaluated is v4 or legacy: servers take any other text for legacy", () => {
  const of = (type: string) =>
    validateShape(repositoryOf({ "state.yml": `config: {dynamic: {privileges_evaluation_type: ${type}}}` }), {
      acceptFields: [],
      families: {},
    }).map(({ code }) => code);
  expect(["v4", "legacy", "~"].flatMap(of)).toEqual([]);
  expect([of("v5"), of("default")]).toEqual([["wrong-type"], ["wrong-type"]]);
});
