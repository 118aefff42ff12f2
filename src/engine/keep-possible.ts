// Attempts are made together where that works, and else those of them that do.
import type { FileEdit } from "../model/file-edit.ts";

export type Made =
  | { readonly edits: readonly FileEdit[]; readonly problem?: undefined }
  | { readonly edits?: undefined; readonly problem: string };

export interface Kept<T> {
  readonly kept: readonly T[];
  readonly edits: readonly FileEdit[];
  readonly refused: readonly { readonly attempt: T; readonly problem: string }[];
}

/** The attempts that can be made together, found by halving: hardly any cannot. */
export async function keepPossible<T>(
  attempts: readonly T[],
  make: (some: readonly T[]) => Promise<Made>,
): Promise<Kept<T>> {
  let state: Kept<T> = { kept: [], edits: [], refused: [] };
  const add = async (some: readonly T[]): Promise<void> => {
    if (some.length === 0) return;
    const together = [...state.kept, ...some];
    const { edits, problem } = await make(together);
    if (edits) state = { ...state, kept: together, edits };
    else if (some.length === 1) state = { ...state, refused: [...state.refused, { attempt: some[0] as T, problem }] };
    else {
      const half = some.length >> 1;
      await add(some.slice(0, half));
      await add(some.slice(half));
    }
  };
  await add(attempts);
  return state;
}
