import type { SharedFiles } from "../load/shared-files.ts";
import type { TargetFlags } from "../load/target.ts";
import type { Family } from "../model/names.ts";
import type { ReadPort, WritePort } from "../model/ports.ts";
import type { Surroundings } from "../model/surroundings.ts";
import type { Target } from "../model/target.ts";
import type { Watch } from "../model/watch.ts";

/** What a run is asked for: flags, environment and place, as plain data. */
export interface RunRequest extends Surroundings {
  readonly flags: TargetFlags;
  /** Only these families; absent: all. */
  readonly families?: readonly Family[];
  /** What the state path `-` is read from; absent: there is no such path. */
  readonly input?: () => AsyncIterable<Uint8Array>;
  /** Where the run is one of several, each about another target: the files that these share. */
  readonly shared?: SharedFiles;
  /** Called at each step of the run. */
  readonly watch?: Watch;
  /** Called with all forms of the login, where files of earlier runs are shown: these may repeat it. */
  readonly hideLogin?: ((forms: readonly string[]) => void) | undefined;
}

/** How a run reaches servers; a plan gets `toRead` only, so that it cannot write. */
export interface Connections {
  readonly toRead: (target: Target) => ReadPort;
  readonly toWrite: (target: Target) => WritePort;
}
