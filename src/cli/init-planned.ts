// The plan at the end of init: whole where it is in sync, else in short.
import { RunError } from "../diagnostics/failure.ts";
import type { Target } from "../model/target.ts";
import type { Style } from "../render/style.ts";
import { formatPartLines } from "../render/text/family.ts";
import { planBlocks } from "../render/text/plan.ts";
import { listChangeParts } from "../render/views/change-parts.ts";
import { noDiagnostics } from "../render/views/diagnostics.ts";
import type { PlanView } from "../render/views/plan.ts";
import type { InitAnswers } from "./init-answers.ts";
import { type Differences, layOutPlanInShort, sortDifferences } from "./init-plan.ts";
import { type Io, writeBlocks } from "./io.ts";
import { chooseStyle } from "./options.ts";
import { planOnce } from "./plan-once.ts";
import { createReadSource } from "./read-source.ts";
import { printAside } from "./say.ts";

/** What the plan of a repository says; nothing where no one target is chosen. */
export interface PlannedRepository {
  /** Whether there is nothing to do. */
  readonly inSync?: boolean;
  readonly failure?: RunError;
  /** Who planned, where that is known. */
  readonly login?: string | undefined;
  readonly differences?: Differences;
}

export async function planRepository(
  io: Io,
  { flags, name }: InitAnswers,
  isText: boolean,
): Promise<PlannedRepository> {
  if (name === "") return {};
  const { url: _, product: __, release: ___, ...rest } = flags;
  try {
    const { planned, view } = await planOnce(io, [], rest, { connect: await createReadSource(io) });
    const style = chooseStyle(io.stdout, io, flags);
    if (isText) {
      io.stdout.write("\n");
      printAside(io, flags, planned.notices, view.isInSync ? view.warnings : noDiagnostics);
    }
    if (isText && view.isInSync) {
      await writeBlocks(io.stdout, planBlocks(view, style));
    } else if (isText) {
      const { warnings } = view.warnings;
      const command = `npx --no -- gate-sync plan --target ${name} --full`;
      const changed = layOutChanged(view, style);
      const lines = layOutPlanInShort(planned.plan, { command, warnings, changed, width: style.width });
      io.stdout.write(`${lines.join("\n")}\n`);
    }
    const { operations, changes } = planned.plan;
    return {
      inSync: operations.length === 0,
      login: nameLogin(planned.target),
      differences: sortDifferences(changes),
    };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return { failure: error };
  }
}

const mostChangedLines = 16;

/** What differs in entries that both have, by which the side is chosen; nothing where that is long. */
function layOutChanged({ families }: PlanView, style: Style): readonly string[] {
  const parts = families.flatMap(({ changes }) =>
    listChangeParts(
      changes.filter(
        ({ action, reason, before, after }) => action === "update" || (reason === "observed" && before && after),
      ),
      style,
    ),
  );
  const lines = parts.flatMap((part) => formatPartLines(part, style));
  return lines.length > mostChangedLines ? [] : lines;
}

/** A certificate may say who we are in place of the password. */
function nameLogin({ auth, tls }: Target): string | undefined {
  return auth?.kind === "basic" && !tls?.cert && !tls?.pkcs12 ? auth.username : undefined;
}
