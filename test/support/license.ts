import { encodeLicense } from "../../src/emulator/index.ts";

/** The text of a license that is valid for long. */
export function license(uid: string): string {
  return encodeLicense({
    uid,
    type: "FULL",
    issued_to: "The tests",
    issuer: "The tests",
    issue_date: "2020-01-01",
    start_date: "2020-01-01",
    expiry_date: "2099-12-31",
    major_version: 7,
    cluster_name: "*",
  });
}
