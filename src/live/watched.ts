import type { ReadPort } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import type { WaitWatch, Watch } from "../model/watch.ts";
import { getLongestRead } from "./client/patience.ts";

/** Who follows the requests of a run; both are absent where nothing of it is shown. */
export interface RequestWatches {
  readonly watch?: Watch;
  readonly waits?: WaitWatch;
}

/** The same connection, with each GET reported to the watchers. */
export function watchReads<Port extends ReadPort>(
  connect: (target: Target) => Port,
  { watch, waits }: RequestWatches,
): (target: Target) => Port {
  if (!watch && !waits) return connect;
  return (target) => {
    const port = connect(target);
    const get: Port["get"] = async (path) => {
      watch?.({ step: "asked", path });
      const end = waits?.(`GET ${path}`, getLongestRead(target, path));
      const since = performance.now();
      const answered = { step: "answered", path } as const;
      try {
        const answer = await port.get(path);
        const { status, milliseconds } = answer;
        watch?.({ ...answered, status, bytes: Buffer.byteLength(answer.text), milliseconds });
        return answer;
      } catch (error) {
        watch?.({ ...answered, bytes: 0, milliseconds: performance.now() - since });
        throw error;
      } finally {
        end?.();
      }
    };
    return { ...port, get };
  };
}
