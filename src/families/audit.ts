import type { FamilyFacts, Field } from "./facts.ts";

const yes: Field = { kind: "flag", documented: false, default: true };
const no: Field = { kind: "flag", documented: false, default: false };
const namesOf = (...byDefault: readonly string[]): Field => ({ kind: "names", documented: false, default: byDefault });
const categories: Field = { ...namesOf("AUTHENTICATED", "GRANTED_PRIVILEGES"), upperCase: true };

/** What OpenSearch to 3.7 fills in: the classes' own defaults, which are not what its audit.yml has. Later ones: `dialects/audit.ts`. */
export const audit: FamilyFacts = {
  noun: ["audit configuration", "audit configurations"],
  fields: {
    enabled: yes,
    audit: {
      kind: "settings",
      documented: false,
      default: {},
      element: {
        disabled_categories: { ...namesOf(), upperCase: true },
        enable_rest: yes,
        disabled_rest_categories: categories,
        enable_transport: yes,
        disabled_transport_categories: categories,
        ignore_users: namesOf("kibanaserver"),
        ignore_requests: namesOf(),
        ignore_headers: namesOf(),
        ignore_url_params: namesOf(),
        resolve_bulk_requests: no,
        log_request_body: yes,
        resolve_indices: yes,
        exclude_sensitive_headers: yes,
        action_groups: { kind: "lists", documented: false, default: {} },
        body_logging_exclusions: namesOf(),
      },
    },
    compliance: {
      kind: "settings",
      documented: false,
      default: {},
      element: {
        enabled: yes,
        internal_config: no,
        external_config: no,
        read_metadata_only: no,
        read_watched_fields: { kind: "lists", documented: false, default: {} },
        read_ignore_users: namesOf("kibanaserver"),
        write_metadata_only: no,
        write_log_diffs: no,
        write_watched_indices: namesOf(),
        write_ignore_users: namesOf("kibanaserver"),
      },
    },
  },
  mandatory: [],
};
