// Many targets that share their files: what a plan of all of them takes, alone and divided among processes.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "./files.ts";
import { clean, formatOf, makeContent } from "./fixture-kinds.ts";
import { startLive } from "./live.ts";
import { measured, type Sample } from "./measure.ts";

/** Roles, and as many mappings. */
const size = 200;
const parts = 16;

export interface FleetOptions {
  readonly seed: number;
  readonly root: string;
  readonly work: string;
  /** server.ts, built. */
  readonly server: string;
  readonly counts: readonly number[];
  readonly say: (line: string) => void;
}

/** A table: targets, CPU seconds, CPU of each target beyond the first, wall seconds, peak RSS. */
export async function measureFleet({ seed, root, work, server, counts, say }: FleetOptions): Promise<string> {
  const live = await startLive(server);
  const folder = join(work, "fleet");
  const rows = ["targets  CPU s  ms each  wall s  RSS MB"];
  try {
    writeFiles(makeContent(clean, seed, size).resources, join(folder, "access"), formatOf(clean));
    await live.hold({ seed, size, name: "clean" });
    const run = (...flags: readonly string[]) =>
      measured(
        {
          args: [join(root, "dist/main.cjs"), "plan", "--all-targets", "--detailed-exitcode", ...flags],
          cwd: folder,
          env: { PASSWORD: "bench" },
        },
        work,
        join(root, "test/bench/usage.cjs"),
      );
    let first = 0;
    const row = (title: string, count: number, { cpu, wall, rss }: Omit<Sample, "printed">) => {
      first ||= cpu;
      const each = count > 1 ? ((cpu - first) / (count - 1)).toFixed(0) : "";
      const cells = [(cpu / 1000).toFixed(2).padStart(5), each.padStart(7), (wall / 1000).toFixed(1).padStart(6)];
      const line = [title.padEnd(7), ...cells, rss.toFixed(0).padStart(6)].join("  ");
      rows.push(line);
      say(line);
    };
    for (const count of counts) {
      writeFileSync(join(folder, "gate-sync.yaml"), configOf(count, live.url));
      row(String(count), count, await run());
    }
    const most = counts.at(-1) ?? 1;
    const sum = { cpu: 0, wall: 0, rss: 0 };
    for (let part = 0; part < parts; part++) {
      const { cpu, wall, rss } = await run("--shard", `${part}/${parts}`);
      Object.assign(sum, { cpu: sum.cpu + cpu, wall: sum.wall + wall, rss: Math.max(sum.rss, rss) });
    }
    row(`${most}/${parts}`, most, sum);
  } finally {
    await live.stop();
  }
  return rows.join("\n");
}

function configOf(count: number, url: string): string {
  const auth = { username: "bench", password: "${env:PASSWORD}" };
  const targets = Array.from({ length: count }, (_, at) => [`cluster-${at}`, { url: `${url}/cluster-${at}` }]);
  return JSON.stringify({ defaults: { state: ["access/"], auth }, targets: Object.fromEntries(targets) });
}
