import { isAbsolute, posix, relative, sep } from "node:path";
import type { Secret } from "../../json/secret.ts";

/** Gives each secret of a state file a reference in place of its value. */
export interface SecretReferences {
  readonly refer: (path: readonly string[], secret: Secret) => string;
  /** The environment variables that represent secrets which no reference gives. */
  readonly variables: readonly string[];
}

/** Each secret becomes an environment variable that is named after its place. */
export function createSecretVariables(): SecretReferences {
  const variables: string[] = [];
  return { variables, refer: (path) => addVariable(path, variables) };
}

/**
 * References stay as they are written, without their defaults, which are secret; of files relative to a folder.
 *
 * @param folder absolute
 */
export function createKeptReferences(folder: string): SecretReferences {
  const variables: string[] = [];
  const refer = (path: readonly string[], { source, reference }: Secret) =>
    source === undefined ? addVariable(path, variables) : withRelativePath(source, reference, folder);
  return { variables, refer };
}

/** A path that is written as an absolute one stays so. */
function withRelativePath(source: string, reference: string, folder: string): string {
  const [absolute, written] = [pathIn(source), pathIn(reference)];
  if (absolute === undefined || written === undefined || isAbsolute(written)) return source;
  return `\${file:${relative(folder, absolute).split(sep).join(posix.sep)}}`;
}

function pathIn(reference: string): string | undefined {
  return /^\$\{file:(.*)\}$/s.exec(reference)?.[1];
}

/** A number is added where two places would give the same name: each secret has its own variable. */
function addVariable(path: readonly string[], variables: string[]): string {
  const plain = path
    .join("_")
    .toUpperCase()
    .replace(/[^A-Z0-9_]/g, "_");
  let name = `SECRET_${plain}`;
  for (let number = 2; variables.includes(name); number++) name = `SECRET_${plain}_${number}`;
  variables.push(name);
  return `\${env:${name}}`;
}
