// What recorded requests need: the actions that the recording names, at their levels, and the indices of path and body.
import type { Case, Explained } from "./recorded-access.ts";

/** Part of a request that is evaluated by itself. */
export interface Part {
  readonly actions: readonly string[];
  /** Names and wildcards; undefined: none were said. */
  readonly expression: string | undefined;
  /** Documents that are asked for by name. */
  readonly ids?: readonly string[];
}

export interface Needs {
  readonly cluster: readonly string[];
  /** Items of a bulk, or of several reads in one; else one part. */
  readonly parts: readonly Part[];
  readonly areItems: boolean;
}

interface Operation {
  readonly _index?: string;
  readonly _id?: string;
}

export function needsOf({ explained, head }: Case): Needs {
  const path = (explained.p.split("?")[0] ?? "").split("/").filter(Boolean).map(decodeURIComponent);
  const expression = path[0] === "_aliases" ? aliased(explained.b) : expressionOf(path);
  const all =
    explained.w === "actions" ? actionsOf(explained) : completed(actionsOf(explained), explained, head.kind === "sg6");
  const cluster = all.filter(isOfCluster);
  const actions = path[1] === "scroll" ? [] : all.filter((action) => !isOfCluster(action));
  const whole = (parts: readonly Part[]): Needs => ({ cluster, parts, areItems: true });
  switch (path.at(-1)) {
    case "_mget": {
      const { docs, ids = [] } = explained.b as { docs?: readonly Operation[]; ids?: readonly string[] };
      const asked = docs ?? ids.map((id): Operation => ({ _id: id }));
      return whole(asked.map(({ _index, _id = "" }) => ({ actions, expression: _index ?? expression, ids: [_id] })));
    }
    case "_msearch": {
      const headers = (explained.b as readonly { index?: string }[]).filter((_, line) => line % 2 === 0);
      return whole(headers.map(({ index }) => ({ actions, expression: index ?? expression })));
    }
    case "_bulk":
      return whole(
        operationsOf(explained.b as readonly Readonly<Record<string, Operation>>[]).map(([word, { _index }]) => ({
          actions: actions.filter((action) => isOf(word, action)),
          expression: _index ?? expression,
        })),
      );
    default: {
      const id = /\/_(?:doc|source)\/(\w+)(?:\/_source)?$/.exec(explained.p)?.[1];
      const isRead = explained.m === "GET" || explained.m === "HEAD";
      const parts = actions.length > 0 ? [{ actions, expression, ...(id && isRead && { ids: [id] }) }] : [];
      return { cluster, parts, areItems: false };
    }
  }
}

function actionsOf({ a }: Explained): readonly string[] {
  return a === undefined ? [] : [a].flat();
}

/** The recording names what the request is about; what comes along is not always said. */
function completed(actions: readonly string[], { p }: Explained, isSix: boolean): readonly string[] {
  const along = actions.flatMap((action) => {
    switch (action) {
      case "indices:data/write/update":
        return p.includes("_bulk") ? bulk : [...bulk, "indices:data/write/index"];
      case "indices:data/write/index":
      case "indices:data/write/delete":
        return bulk;
      case "indices:admin/close":
        return isSix ? [] : [`${action}[s]`];
      case "indices:admin/refresh":
        return [`${action}[s]`];
      default:
        return [];
    }
  });
  return [...new Set([...actions, ...along])];
}

const bulk = ["indices:data/write/bulk", "indices:data/write/bulk[s]"];

function isOf(word: string, action: string): boolean {
  const [, written] = /^indices:data\/write\/(index|delete|update)$/.exec(action) ?? [];
  return written === undefined || written === (word === "create" ? "index" : word);
}

/** Deletions have no line of their own for a document. */
function operationsOf(
  lines: readonly Readonly<Record<string, Operation>>[],
): readonly (readonly [string, Operation])[] {
  const [first, ...rest] = lines;
  if (!first) return [];
  const [word = "", operation = {}] = Object.entries(first)[0] ?? [];
  return [[word, operation], ...operationsOf(word === "delete" ? rest : rest.slice(1))];
}

/** `{actions: [{remove_index: {index: "logs-a"}}]}` */
function aliased(body: unknown): string {
  const { actions } = body as { readonly actions: readonly Readonly<Record<string, { readonly index: string }>>[] };
  return actions.flatMap((action) => Object.values(action).map(({ index }) => index)).join();
}

/** `/logs-a/_search`, `/_cat/count/logs-a`; undefined where no index is named. */
function expressionOf([first, second, third]: readonly string[]): string | undefined {
  if (first === undefined) return undefined;
  if (first === "_cat" || first === "_resolve") return third;
  if (first === "_cluster") return second === "health" ? third : undefined;
  return first.startsWith("_") && first !== "_all" && !first.startsWith("_all,") ? undefined : first;
}

/** Listed, not reckoned: the second opinion on levels is the evaluator's. */
function isOfCluster(action: string): boolean {
  return (
    action.startsWith("cluster:") ||
    /^indices:(admin\/(index_)?template\/|data\/read\/(mget|msearch|scroll|scroll\/clear)$|data\/write\/bulk$)/.test(
      action,
    )
  );
}
