// A small state to ask about who may do what.
import { type Files, gateSyncWithin, inFolder } from "../support/command.ts";

export const files: Files = {
  "gate-sync.yaml": "targets: { prod: { state: [access], product: search-guard, release: '7' } }\n",
  "access/roles.yml": `roles:
  hr_reader:
    index_permissions:
      - index_patterns: [hr-*]
        allowed_actions: [hr_read]
        dls: '{"term": {"dept": "hr"}}'
        fls: [~salary]
  masked:
    index_permissions:
      - { index_patterns: [mask-*], allowed_actions: [hr_read], dls: '{"term": {"who": "ana"}}' }
  dash:
    tenant_permissions:
      - { tenant_patterns: [hr], allowed_actions: ["kibana:saved_objects/*/write"] }
action_groups:
  hr_read: { allowed_actions: ["indices:data/read/*"] }
tenants: { hr: {} }
`,
  "access/mappings.yml": `role_mappings:
  hr_reader:
    backend_roles: [hr]
    users: [ana]
  masked: { users: [ana] }
  dash: { users: [ana] }
  gone: { hosts: [10.0.0.9] }
personas:
  ana: { user: ana, backend_roles: [staff], host: 10.0.7.3 }
`,
};

export function asked(line: string | readonly string[], more: Files = {}) {
  return inFolder({ ...files, ...more }, (cwd) =>
    gateSyncWithin(["access", ...(typeof line === "string" ? line.split(" ") : line)], { cwd }),
  );
}
