// The license of Search Guard; OpenSearch has none.
import { expect } from "vitest";
import { onServers, reported, where } from "./case.ts";
import type { Answered } from "./stage.ts";

onServers("usual", "license", (_, { product, name }) => [
  ...where(product === "search-guard", [
    {
      title: "a server on which none was installed shows its trial",
      steps: [
        {
          ask: "GET license",
          status: 200,
          shows: ({ json }: Answered) => {
            const { sg_license: license, modules, compatibility } = json as Record<string, Record<string, unknown>>;
            expect(license).toMatchObject({ type: "TRIAL", is_valid: true, is_expired: false, license_required: true });
            expect(license?.expiry_in_days).toBeTypeOf("number");
            expect(modules).toBeTypeOf("object");
            expect(compatibility).toEqual({ modules_mismatch: false });
          },
        },
        { ask: "GET license", who: "reader", status: 200 },
      ],
    },
    {
      title: "what is no license is refused, and in words",
      steps: [
        {
          ask: "PUT license",
          send: { sg_license: "not a license" },
          status: 400,
          shows: /License could not be decoded due to: /,
        },
        { ask: "PUT license", send: { license: "x" }, status: 400, shows: /"invalid_keys":\{"keys":"license"\}/ },
        { ask: "PUT license", send: {}, status: 400 },
      ],
    },
    {
      title: "it can be neither posted nor deleted",
      steps: [
        {
          ask: "POST license",
          send: { sg_license: "x" },
          status: 501,
          shows: reported(501, "Method POST not supported for this action."),
        },
        {
          ask: "DELETE license",
          status: 400,
          shows: reported(400, `No null specified${name === "search-guard-6" ? "" : "."}`),
        },
      ],
    },
  ]),
  ...where(product === "opensearch", [
    { title: "there is none", steps: [{ ask: "GET license", status: 400, shows: /no handler found/ }] },
  ]),
]);
