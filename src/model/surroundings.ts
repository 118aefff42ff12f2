/** Where a run takes place. */
export interface Surroundings {
  /** The folder of the user, absolute; all paths shown are relative to it. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Another gate-sync.yaml than the one found. */
  readonly configPath?: string;
}
