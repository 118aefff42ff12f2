import { exitCodes, RunError } from "../diagnostics/failure.ts";
import { runEach } from "../engine/fleet/each.ts";
import type { JsonObject } from "../json/value.ts";
import {
  createFailedRow,
  createFleetView,
  type FleetResult,
  type FleetRow,
  type FleetState,
} from "../render/views/fleet.ts";
import { createFailureItem, type FleetItem } from "../render/views/fleet-parts.ts";
import { maskRunError } from "../secrets/masked-message.ts";
import { collectOutput } from "./collected-output.ts";
import { chooseOneOf, listFleet, usualParallel } from "./fleet.ts";
import type { Io } from "./io.ts";
import { type CommandAction, type CommandOutcome, type CommonFlags, readRequestFlags } from "./options.ts";
import { createFleetReports, refuseOtherFormats, withoutTargets } from "./plan-fleet.ts";
import { writeReports } from "./reports.ts";

/** Runs a command for each target that is chosen, as for that one alone, and shows equal answers once. */
export async function runForEachTarget<F extends CommonFlags>(
  command: string,
  io: Io,
  flags: F,
  action: CommandAction<F>,
): Promise<number> {
  const { names, shard, shared } = await listFleet(io, flags);
  refuseOtherFormats(flags);
  const isJson = flags.format === "json";
  const results = await runEach(names, flags.parallel ?? usualParallel, async (name): Promise<FleetResult> => {
    const { io: captured, read, readOf } = collectOutput(io, name);
    try {
      // What one answers is a part of the whole: in its format, not a document inside another.
      const own = { format: isJson ? "json" : "text", color: "never", reports: [] } as const;
      const outcome = await action(captured, { ...chooseOneOf(flags, name, shared), ...own });
      const row = createAnsweredRow(
        command,
        name,
        typeof outcome === "number" ? { exitCode: outcome, unknownPasswords: 0 } : outcome,
      );
      if (isJson) return { row, items: [...listDocuments(readOf("stdout")), ...listTexts(readOf("stderr"))] };
      // The table says so; what it was compared with is another text for each.
      const isInTable = row.state === "in sync" && !flags.verbose;
      return { row, items: isInTable ? [] : listTexts(read()) };
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      return { row: createFailedRow(name, error), items: [createFailureItem(maskRunError(error))] };
    }
  });
  const view = createFleetView(command, results, shard);
  await writeReports(io, flags, createFleetReports(view, readRequestFlags(io, [], withoutTargets(flags)), flags));
  return view.exitCode;
}

const states: Readonly<Record<string, Readonly<Record<number, FleetState>>>> = {
  validate: { [exitCodes.done]: "valid" },
  test: { [exitCodes.done]: "passed" },
  drift: { [exitCodes.done]: "in sync", [exitCodes.pending]: "drift" },
  status: { [exitCodes.pending]: "left open" },
  "can-i": { [exitCodes.done]: "yes", [exitCodes.denied]: "no", [exitCodes.undecided]: "unknown" },
};

function createAnsweredRow(command: string, name: string, { exitCode, unknownPasswords }: CommandOutcome): FleetRow {
  const usual: FleetState =
    exitCode === exitCodes.done
      ? "done"
      : exitCode === exitCodes.invalid
        ? "invalid files"
        : exitCode === exitCodes.refused
          ? "refused"
          : "failed";
  const state = states[command]?.[exitCode] ?? usual;
  return {
    name,
    state,
    exitCode,
    families: new Map(),
    requests: 0,
    ...(unknownPasswords > 0 && { unknownPasswords }),
    fingerprint: "",
  };
}

function listDocuments(output: string): readonly FleetItem[] {
  if (output.trim() === "") return [];
  return [{ kind: "document", key: output, value: JSON.parse(output) as JsonObject }];
}

/** Text may be long, and is the same for targets that answer the same. */
function listTexts(output: string): readonly FleetItem[] {
  return output.trim() === "" ? [] : [{ kind: "output", key: output, value: output.trimEnd() }];
}
