// The audit configuration of OpenSearch by release: measured on 2.19.1 and 3.8.0, of 3.9 read from its source.
import type { Fields } from "../json/value.ts";
import { isOpenSearchBefore } from "./release.ts";

/** The fields inside of it that a release does not have; it refuses the whole document where one is in it. */
export function listLackedSettings(release: string): readonly string[] {
  return [
    ...(isOpenSearchBefore(release, "3.8") ? ["disabled_categories"] : []),
    ...(isOpenSearchBefore(release, "3.9") ? ["action_groups", "body_logging_exclusions"] : []),
  ];
}

/** What a release fills in where that is not what the facts of the family say; of a line alone, what was measured. */
export function getAuditDefaults(line: string): Fields | undefined {
  const release = line === "3" ? "3.8" : line;
  if (isOpenSearchBefore(release, "3.8")) return undefined;
  const settings = ["CLUSTER_SETTINGS_CHANGED", "INDEX_SETTINGS_CHANGED"];
  const resources = ["RESOURCE_ACCESS_DENIED", "RESOURCE_ACCESS_GRANTED", "RESOURCE_SHARING_CHANGED"];
  const common = ["AUTHENTICATED", "GRANTED_PRIVILEGES"];
  const others = isOpenSearchBefore(release, "3.9") ? [] : resources;
  return {
    audit: {
      disabled_rest_categories: [...common, ...others].sort(),
      disabled_transport_categories: [...common, ...settings, ...others].sort(),
    },
  };
}
