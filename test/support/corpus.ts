import { existsSync } from "node:fs";
import { join } from "node:path";

/** Real configuration files of other people, no part of this repository: GATE_SYNC_CORPUS says where a copy lies. */
export const corpus = process.env.GATE_SYNC_CORPUS ?? "";
/** Tests that read it are skipped where there is none, and say so. */
export const hasCorpus = corpus !== "" && existsSync(join(corpus, "INDEX.tsv"));
