import { readFileSync } from "node:fs";
import { emulatedStage } from "./emulated.ts";
import { type Facts, openStage, type Stage } from "./stage.ts";

/** What `npm run test:real` hands over, as a file, since certificates are long: where its server is and how it is set. */
export interface HandedOver {
  readonly name: Facts["name"];
  readonly product: Facts["product"];
  readonly release: string;
  readonly configWritable: boolean;
  readonly url: string;
  readonly certificates: { readonly ca: string; readonly cert: string; readonly key: string };
}

export interface Setting {
  readonly title: string;
  readonly facts: Facts;
  readonly open: () => Promise<Stage>;
}

/** With the releases that the emulator is modelled on. */
const releases: Readonly<Record<Facts["name"], string>> = {
  "search-guard-6": "6.5.4-24.0",
  "search-guard-7": "7.5.1-38.0.0",
  "opensearch-2": "2.19.1",
  "opensearch-3": "3.4.0",
};
const emulated = Object.keys(releases) as readonly Facts["name"][];

/**
 * `usual`: every line of every product · `each-product`: one line of OpenSearch will do · `throw-away`: not needed
 * afterwards, and its config cannot be written.
 */
export type Kind = "usual" | "each-product" | "throw-away";

/** The servers that the suite runs against: the real one that GATE_SYNC_REAL_SERVER names, or else the emulator as each. */
export function settings(kind: Kind): readonly Setting[] {
  const file = process.env.GATE_SYNC_REAL_SERVER;
  if (file !== undefined) {
    const handed = JSON.parse(readFileSync(file, "utf8")) as HandedOver;
    const { name, product, release, configWritable } = handed;
    const facts: Facts = { name, product, release, configWritable, real: true };
    return [{ title: titled(facts), facts, open: () => realStage(facts, handed) }];
  }
  return emulatedAs(kind).map((name) => {
    const product: Facts["product"] = name.startsWith("search-guard") ? "search-guard" : "opensearch";
    // Search Guard 6 has no setting for it: its config is never written.
    const configWritable = kind !== "throw-away" && name !== "search-guard-6";
    const facts: Facts = { name, product, release: releases[name], configWritable, real: false };
    return { title: `${titled(facts)}, emulated`, facts, open: () => emulatedStage(facts) };
  });
}

/** What 2 and 3 of OpenSearch do differently, requests alone show. */
function emulatedAs(kind: Kind): readonly Facts["name"][] {
  if (kind === "usual") return emulated;
  const but = kind === "each-product" ? "opensearch-3" : "search-guard-6";
  return emulated.filter((name) => name !== but);
}

function titled({ name, configWritable }: Facts): string {
  return configWritable ? `${name}, config writable` : name;
}

export function realStage(facts: Facts, { url, certificates }: HandedOver): Promise<Stage> {
  return openStage(facts, { url, tls: certificates }, async () => {});
}
