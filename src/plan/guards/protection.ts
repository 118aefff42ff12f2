import type { Guard } from "./guard.ts";

/** What a branch takes away together with what it protects against would be missed otherwise. */
export const protection: Guard = {
  rule: "protection",
  refuses:
    "With --base, a plan that the files of that commit would refuse by what they have and these files have not: an access test, protect, owners, include, exclude, mode, a limit, admin_roles, accept_fields, allowed_hosts, secret_files, a severity of lint.",
  why: "A branch may grant access and delete the test that forbids it: its own files then have nothing to say against it. The same holds for what that commit leaves to others or as it is (include, exclude, mode), and for deletions of a type that only these files declare.",
  fix: "Restore what is listed under Protection, or change it in a pull request of its own first.",
  byDefault: "always, where plan has --base; apply does not ask for it",
  setBy: "--base; what protects is in gate-sync.yaml and in state files",
  waivedFor: "address",
  dependsOnRun: true,
  evaluate: ({ refusedByBase = [] }) => refusedByBase,
};
