import type { ReadPort } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import type { Watch } from "../model/watch.ts";

/** The same connection, with each GET reported to the watcher; unchanged without one. */
export function watchReads<Port extends ReadPort>(
  connect: (target: Target) => Port,
  watch: Watch | undefined,
): (target: Target) => Port {
  if (!watch) return connect;
  return (target) => {
    const port = connect(target);
    const get: Port["get"] = async (path) => {
      watch({ step: "asked", path });
      const since = performance.now();
      const answered = { step: "answered", path } as const;
      try {
        const answer = await port.get(path);
        const { status, milliseconds } = answer;
        watch({ ...answered, status, bytes: Buffer.byteLength(answer.text), milliseconds });
        return answer;
      } catch (error) {
        watch({ ...answered, bytes: 0, milliseconds: performance.now() - since });
        throw error;
      }
    };
    return { ...port, get };
  };
}
