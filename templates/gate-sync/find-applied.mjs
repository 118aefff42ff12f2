// Writes the commit that was applied last: that of the last job which applied and succeeded. Nothing where there is none.
// The newest commit is not it, where a plan was refused or the cluster was away.
import { request, retry } from "./gitlab.mjs";

const environment = encodeURIComponent(process.env.GATE_SYNC_TARGET);
const path = `deployments?environment=${environment}&status=success&order_by=finished_at&sort=desc&per_page=1`;

try {
  const [last] = await retry(() => request("GET", path));
  process.stdout.write(last?.sha ?? "");
} catch (error) {
  process.stderr.write(`${error.message} Which commit was applied last is unknown. Nothing was compared.\n`);
  process.exit(1);
}
