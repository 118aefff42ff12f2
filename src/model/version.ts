declare const GATE_SYNC_VERSION: string | undefined;

/** Of this program; set where it is built. */
export const version = typeof GATE_SYNC_VERSION === "string" ? GATE_SYNC_VERSION : "from source";
