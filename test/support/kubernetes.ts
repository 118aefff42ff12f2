// Manifests as Kubernetes reads them, as far as those of examples/kubernetes go.
import { readdirSync, readFileSync } from "node:fs";
import { parseAllDocuments } from "yaml";

// biome-ignore lint/suspicious/noExplicitAny: what they may hold is what their schemas say, and tests look at.
export type Manifest = any;

const folder = new URL("../../examples/kubernetes/", import.meta.url);

/** All objects of all files. */
export function readManifests(): readonly Manifest[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  return files.flatMap((name) =>
    parseAllDocuments(readFileSync(new URL(name, folder), "utf8")).map((document) => {
      if (document.errors[0]) throw document.errors[0];
      return document.toJS();
    }),
  );
}

/** The jobs among them, those of schedules too. */
export function listJobs(manifests: readonly Manifest[]): readonly (readonly [name: string, spec: Manifest])[] {
  return manifests.flatMap(({ kind, metadata, spec }) => {
    if (kind === "Job") return [[metadata.generateName, spec] as const];
    return kind === "CronJob" ? [[metadata.name, spec.jobTemplate.spec] as const] : [];
  });
}

/** By their names, and then their keys. */
export type Secrets = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * What its only container is started with, where `$(NAME)` is a variable of its own.
 *
 * @param more variables that Kubernetes adds, and fields of the pod by their paths
 */
export function resolveContainer(
  { template }: Manifest,
  secrets: Secrets,
  more: Readonly<Record<string, string>> = {},
) {
  const [{ args, env = [], envFrom = [] }] = template.spec.containers;
  const resolveVariable = ({ name, value, valueFrom }: Manifest): readonly [string, string] => {
    const found = value ?? more[valueFrom?.fieldRef?.fieldPath];
    if (found === undefined) throw new Error(`The variable ${name} has no value.`);
    return [name, found];
  };
  const whole = envFrom.map(({ secretRef }: Manifest) => secrets[secretRef.name] ?? {});
  const variables: Readonly<Record<string, string>> = Object.assign(
    {},
    more,
    ...whole,
    Object.fromEntries(env.map(resolveVariable)),
  );
  const expand = (word: string) => word.replace(/\$\((\w+)\)/g, (reference, name) => variables[name] ?? reference);
  return { args: args.map(expand) as readonly string[], env: variables };
}

/** How an index of an indexed job ended, and after how many pods. */
export interface EndedIndex {
  readonly code: number | undefined;
  readonly pods: number;
}

/** Starts pods as the controller of jobs does: so many at once, and again what failed, unless the policy is against it. */
export async function runIndexed(
  { completions, parallelism, backoffLimitPerIndex, podFailurePolicy }: Manifest,
  runPod: (index: number) => Promise<number | undefined>,
): Promise<readonly EndedIndex[]> {
  const final: readonly number[] = podFailurePolicy.rules.flatMap((rule: Manifest) =>
    rule.action === "FailIndex" ? rule.onExitCodes.values : [],
  );
  const ended: EndedIndex[] = [];
  const waiting = Array.from({ length: completions }, (_, index) => index).values();
  const work = async () => {
    for (const index of waiting) {
      for (let pods = 1; ; pods++) {
        const code = await runPod(index);
        ended[index] = { code, pods };
        if (code === 0 || final.includes(code ?? -1) || pods > backoffLimitPerIndex) break;
      }
    }
  };
  await Promise.all(Array.from({ length: parallelism }, work));
  return ended;
}
