import type { SourceRange } from "../diagnostics/source.ts";
import { licenseChild } from "../families/config.ts";
import type { MapNode, Node } from "../model/node.ts";
import { isAllSecret, isPublic, isReference, isSecretKey, isUrl, maskAll, maskInString } from "./masked-text.ts";
import { isRecordedSecretKey } from "./secret-keys.ts";
import { hasChosenNames, isNamedAsUsers, isNameOfSection, isUnknownOfUser, usersFamily } from "./user-lines.ts";

/** What is shown in place of a stretch of a file; as long as that. */
export interface Mask {
  readonly start: number;
  readonly shown: string;
}

/** What the keys above a node say of it. */
interface Above {
  /** A key whose value is secret: so is all below it, keys too. */
  readonly isSecret: boolean;
  /** A section of settings that are secret, but for those that are known to be public. */
  readonly isAllSecret: boolean;
  /** A key whose value is an address, which may hold a login. */
  readonly isAddress: boolean;
  /** The keys are names that users chose: of a family, of personas, of domains. */
  readonly isNames: boolean;
  /** The keys are names of internal users: what is no map may be a password. */
  readonly isUsers: boolean;
  /** The keys are fields of an internal user: what nobody knows may be a password. */
  readonly isUser: boolean;
}

const nothing: Above = {
  isSecret: false,
  isAllSecret: false,
  isAddress: false,
  isNames: false,
  isUsers: false,
  isUser: false,
};
/** The top of a file that is named as those of internal users. */
const topOfUsers: Above = { ...nothing, isUsers: true };

/** Everything of a document that may be secret, values with what is written before them, such as a tag. */
export function findMasks(root: Node): readonly Mask[] {
  const masks: Mask[] = [];
  collectMasks(root, isNamedAsUsers(root.file) ? topOfUsers : nothing, masks);
  return masks;
}

function collectMasks(node: Node, above: Above, masks: Mask[]): void {
  switch (node.kind) {
    case "scalar": {
      const source = node.file.text.slice(node.start, node.end);
      const isHidden = (above.isSecret || above.isAllSecret) && !isReference(source);
      addMask(masks, node.start, source, isHidden ? maskAll(source) : maskInString(source, above.isAddress));
      return;
    }
    case "list": {
      let isCutOff = false;
      for (const item of node.items) {
        if (isCutOff && item.kind === "scalar") hide(item, masks);
        else collectMasks(item, above, masks);
        isCutOff =
          isFlow(node) && (item.kind === "scalar" ? isCutOff : item.kind === "map" && endsInSecret(item, above));
      }
      return;
    }
    case "map":
      collectInMap(node, above, masks);
  }
}

function collectInMap(map: MapNode, above: Above, masks: Mask[]): void {
  let isCutOff = false;
  for (const { key, keyRange, value } of map.entries) {
    const below = descend(above, key, value);
    const isHidden = below.isSecret || below.isAllSecret;
    const isEmpty = value.kind === "scalar" && value.start === value.end;
    // `{ password: a, b }` is one key with a value, and one without: the rest of the password.
    isCutOff = isFlow(map) && isCutOff && isEmpty;
    const source = map.file.text.slice(keyRange.start, keyRange.end);
    const isValue = above.isAllSecret && !isPublic(key) && !isSecretKey(key) && isEmpty && !hasColon(keyRange);
    const shown = above.isSecret || isCutOff || isValue ? maskAll(source) : maskInString(source, false);
    addMask(masks, keyRange.start, source, above.isAllSecret ? withoutRest(shown) : shown);
    collectMasks(value, below, masks);
    if (below.isSecret && !isReference(map.file.text.slice(value.start, value.end)))
      hideFromColon(keyRange, value, masks);
    isCutOff ||= isHidden && !isEmpty;
  }
}

function descend(above: Above, key: string, value: Node): Above {
  if (above.isUsers && value.kind !== "map") return { ...nothing, isSecret: true };
  const isTop = above === nothing || above === topOfUsers;
  if (above.isUsers && !(isTop && isNameOfSection(key))) return { ...nothing, isUser: true };
  if (above.isNames && value.kind !== "scalar") return { ...above, isNames: false, isAddress: false };
  // Their families are like those of the document.
  if (isTop && (key === "generate" || key === "overrides") && value.kind === "map") return nothing;
  return {
    // A license is one text; the settings of one are known.
    isSecret:
      above.isSecret ||
      (above.isUser && isUnknownOfUser(key)) ||
      isRecordedSecretKey(value.file, key) ||
      (key === licenseChild ? value.kind !== "map" : isSecretKey(key)),
    isAllSecret: (above.isAllSecret || isAllSecret(key)) && !isPublic(key),
    isAddress: above.isAddress || isUrl(key),
    isNames: hasChosenNames(key, isTop),
    isUsers: isTop && key === usersFamily,
    isUser: false,
  };
}

/** Whether the last entry of a map has a value that is hidden, or is the rest of one. */
function endsInSecret({ entries }: MapNode, above: Above): boolean {
  const last = entries.at(-1);
  if (last === undefined) return false;
  const { isSecret, isAllSecret } = descend(above, last.key, last.value);
  return isSecret || isAllSecret;
}

/** Whether a map or list is written between brackets, or is one entry of such a list. */
function isFlow({ file, start }: Node): boolean {
  return /[[{]/.test(file.text.charAt(start));
}

/** `{ username: ci, hunter2 }` has a key without. */
function hasColon({ file, end }: SourceRange): boolean {
  return /^\s*:/.test(file.text.slice(end, end + 100));
}

/** `"X-A: value":` and `X-A:value:` are names with a value, where values are secret. */
function withoutRest(key: string): string {
  return key.replace(/[\s:=].*/s, maskAll);
}

/** Up to the end of a value, with its tag; an alias has its value elsewhere. */
function hideFromColon({ file, end: keyEnd }: SourceRange, { end }: Node, masks: Mask[]): void {
  const start = file.text.indexOf(":", keyEnd) + 1;
  if (start > 0 && start < end) hide({ file, start, end }, masks);
}

function hide({ file, start, end }: SourceRange, masks: Mask[]): void {
  const source = file.text.slice(start, end);
  addMask(masks, start, source, maskAll(source));
}

function addMask(masks: Mask[], start: number, source: string, shown: string): void {
  if (shown !== source) masks.push({ start, shown });
}
