import type { CommonFlags } from "./options.ts";

export interface ExportFlags extends CommonFlags {
  readonly out?: string;
  readonly oneFile?: boolean;
  readonly snapshot?: string;
  readonly as?: "operator";
  readonly operatorCluster?: string;
  readonly update?: boolean;
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  readonly editShared?: boolean;
  readonly force?: boolean;
  readonly into?: string;
  readonly only?: readonly string[];
}
