import type { TargetSummary } from "../../model/plan.ts";
import type { Target } from "../../model/target.ts";
import { escapeInvisible, joinNames } from "../escape.ts";

/** Which server, how that is known, and the applying identity. Fit to be shown. */
export interface TargetView {
  readonly name: string;
  /** Without credentials. `snapshot FILE` where no server was asked. */
  readonly url: string;
  readonly product: string;
  readonly release: string;
  /** How product and release are known. */
  readonly how: string;
  readonly engine?: string;
  readonly clusterName?: string;
  readonly identity?: string;
}

export function createTargetView({ name, url, server, identity }: TargetSummary): TargetView {
  const { product, release, how, engine, clusterName } = server;
  return {
    name: escapeInvisible(name),
    url: escapeInvisible(url),
    product,
    release: escapeInvisible(release),
    how: escapeInvisible(how),
    ...(engine !== undefined && { engine: escapeInvisible(engine) }),
    ...(clusterName !== undefined && { clusterName: escapeInvisible(clusterName) }),
    ...(identity !== undefined && { identity: escapeInvisible(identity) }),
  };
}

/** Who is to send the requests, as the target states it: `user ci-apply, backend role admin`; undefined where it does not. */
export function formatAppliedAs({ applyAs, adminCertificate }: Target): string | undefined {
  if (adminCertificate) return "the holder of an administrator's certificate";
  if (!applyAs) return undefined;
  const { user, backendRoles } = applyAs;
  const roles =
    backendRoles.length === 0 ? [] : [`backend role${backendRoles.length === 1 ? "" : "s"} ${joinNames(backendRoles)}`];
  return [`user ${joinNames([user])}`, ...roles].join(", ");
}
