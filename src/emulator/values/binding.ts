import { type ClassProperty, createInstance, findProperty, getInitialValue, type ServerClass } from "./classes.ts";
import type { Tree } from "./tree.ts";

/** How one version of the servers' mapper words its complaints. Every function gives the text without the place. */
export interface ClassMapper {
  readonly noText: (value: Tree) => BindingComplaint;
  readonly noList: (value: Tree) => BindingComplaint;
  /** Of a list by a name, whose elements have a class. */
  readonly noListOf: (name: string, value: Tree) => BindingComplaint;
  readonly noInstance: (name: string, value: Tree) => BindingComplaint;
  readonly noFlag: (value: Tree) => BindingComplaint;
  readonly noWord: (name: string, of: readonly string[], value: string) => BindingComplaint;
  readonly noNumber: (value: Tree) => BindingComplaint;
  /** The place of a value that was no text when it was mapped: it has none. */
  readonly nowhere: string;
}

/** `type` is the class of the exception, as the search engine spells it in answers. */
export interface BindingComplaint {
  readonly type: string;
  readonly text: string;
}

/** Thrown where a value does not fit its class, for which the server answers 500; caught by `bindValue`. */
export class BindingFault extends Error {
  readonly type: string;
  readonly complaint: string;
  /** The classes and properties that lead to the value: `RoleV7["x"]->java.util.ArrayList[0]`. */
  readonly chain: readonly string[];

  constructor(type: string, complaint: string, chain: readonly string[]) {
    super(complaint);
    this.type = type;
    this.complaint = complaint;
    this.chain = chain;
  }

  /** As it appears in answers. */
  text(place: string, prefix: readonly string[] = []): string {
    const chain = [...prefix, ...this.chain].join("->");
    return `${this.complaint}\n at ${place}${chain === "" ? "" : ` (through reference chain: ${chain})`}`;
  }
}

/** A value as an instance of the class, or why it does not fit. */
export function bindValue(
  type: ServerClass,
  value: Tree,
  mapper: ClassMapper,
): { readonly tree: Tree } | { readonly fault: BindingFault } {
  try {
    return { tree: bound(type, value, mapper) };
  } catch (problem) {
    if (problem instanceof BindingFault) return { fault: problem };
    throw problem;
  }
}

/** A value as an instance of the class, properties that are not given or null being what they start with. */
function bound(type: ServerClass, value: Tree, mapper: ClassMapper, chain: readonly string[] = []): Tree {
  if (!(value instanceof Map)) throw fault(mapper.noInstance(type.name, value), chain);
  const instance = createInstance(type) as Map<string, Tree>;
  for (const [name, item] of value) {
    if (type.ignored?.includes(name) === true) continue;
    const property = findProperty(type, name);
    const step = [...chain, `${type.name}["${name}"]`];
    if (property === undefined)
      throw new BindingFault("unrecognized_property_exception", unrecognised(type, name), step);
    instance.set(name, item === null ? getInitialValue(property) : boundProperty(property, item, mapper, step));
  }
  return instance;
}

function boundProperty(property: ClassProperty, value: Tree, mapper: ClassMapper, chain: readonly string[]): Tree {
  switch (property.kind) {
    case "text":
    case "secret":
      return boundText(value, mapper, chain);
    case "word": {
      const word = boundText(value, mapper, chain);
      if (property.of.includes(word)) return word;
      throw fault(mapper.noWord(property.name, property.of, word), chain);
    }
    case "words": {
      if (!Array.isArray(value)) throw fault(mapper.noList(value), chain);
      return value.map((item) => {
        const word = boundText(item, mapper, chain);
        if (property.of.includes(word.toUpperCase())) return word.toUpperCase();
        throw fault(mapper.noWord(property.name, property.of, word), chain);
      });
    }
    case "flag":
      if (typeof value === "boolean") return value;
      if (value === "true" || value === "false") return value === "true";
      throw fault(mapper.noFlag(value), chain);
    case "number":
      if (typeof value === "number") return Math.min(value, property.most ?? Number.POSITIVE_INFINITY);
      if (typeof value === "string" && /^-?\d+$/.test(value)) return Number(value);
      throw fault(mapper.noNumber(value), chain);
    case "texts":
    case "list": {
      if (property.kind === "texts" && property.orText && !Array.isArray(value)) return boundText(value, mapper, chain);
      if (!Array.isArray(value)) throw fault(mapper.noList(value), chain);
      return value.map((item, index) => {
        if (item === null) return null;
        const step = [...chain, `java.util.ArrayList[${index}]`];
        return property.kind === "list" ? bound(property.of, item, mapper, step) : boundText(item, mapper, step);
      });
    }
    case "lists":
      return boundLists(property, value, mapper, chain);
    case "object":
      return bound(property.of, value, mapper, chain);
    case "named": {
      if (!(value instanceof Map)) throw fault(mapper.noInstance(property.name, value), chain);
      const members = [...value].map(([name, item]): [string, Tree] => [
        name,
        bound(property.of, item, mapper, [...chain, `${property.name}["${name}"]`]),
      ]);
      return new Map(members);
    }
    default:
      return value;
  }
}

function boundLists(
  { name, of }: Extract<ClassProperty, { kind: "lists" }>,
  value: Tree,
  mapper: ClassMapper,
  chain: readonly string[],
): Tree {
  if (!(value instanceof Map)) throw fault(mapper.noInstance("java.util.LinkedHashMap", value), chain);
  const lists = [...value].map(([key, list]): [string, Tree] => {
    const step = [...chain, `java.util.LinkedHashMap["${key}"]`];
    if (list === null) return [key, null];
    if (!Array.isArray(list)) throw fault(mapper.noListOf(name, list), step);
    const texts = list.map((item, index) => {
      const place = [...step, `java.util.ArrayList[${index}]`];
      const text = boundText(item, mapper, place);
      if (of?.includes(text) === false) throw fault(mapper.noWord(name, of, text), place);
      return text;
    });
    return [key, texts];
  });
  return new Map(lists);
}

/** Scalars become text; that is all that is bent into shape. */
function boundText(value: Tree, mapper: ClassMapper, chain: readonly string[]): string {
  if (Array.isArray(value) || value instanceof Map) throw fault(mapper.noText(value), chain);
  return String(value);
}

function fault({ type, text }: BindingComplaint, chain: readonly string[]): BindingFault {
  return new BindingFault(type, text, chain);
}

function unrecognised({ name, known }: ServerClass, property: string): string {
  const names = known.map((key) => `"${key}"`).join(", ");
  const detail = `(${known.length} known properties: ${names}])`;
  return `Unrecognized field "${property}" (class ${name}), not marked as ignorable ${detail}`;
}

function tokenOf(value: Tree): string {
  if (Array.isArray(value)) return "START_ARRAY";
  if (value instanceof Map) return "START_OBJECT";
  if (typeof value === "string") return "VALUE_STRING";
  if (typeof value === "number") return Number.isInteger(value) ? "VALUE_NUMBER_INT" : "VALUE_NUMBER_FLOAT";
  return value === true ? "VALUE_TRUE" : "VALUE_FALSE";
}

function scalar(value: Tree): { readonly creator: string; readonly detail: string } {
  if (typeof value === "string") return { creator: "String-argument", detail: `String value ('${value}')` };
  if (typeof value === "number") return { creator: "int/Int-argument", detail: `Number value (${value})` };
  return { creator: "boolean/Boolean-argument", detail: `Boolean value (${value})` };
}

const mapping = (text: string): BindingComplaint => ({ type: "json_mapping_exception", text });
const badFormat = (text: string): BindingComplaint => ({ type: "invalid_format_exception", text });

/** The mapper of Search Guard 7. */
export const searchGuardMapper: ClassMapper = {
  noText: (value) => mapping(`Can not deserialize instance of java.lang.String out of ${tokenOf(value)} token`),
  noList: (value) => mapping(`Can not deserialize instance of java.util.ArrayList out of ${tokenOf(value)} token`),
  noListOf: (_, value) => searchGuardMapper.noList(value),
  noInstance: (name, value) => {
    if (Array.isArray(value)) return mapping(`Can not deserialize instance of ${name} out of START_ARRAY token`);
    const { creator, detail } = scalar(value);
    const lacking = `no ${creator} constructor/factory method to deserialize from ${detail}`;
    return mapping(`Can not construct instance of ${name}: ${lacking}`);
  },
  noFlag: (value) =>
    badFormat(`Can not deserialize value of type boolean from String "${value}": only "true" or "false" recognized`),
  noWord: (name, of, value) => {
    const detail = `value not one of declared Enum instance names: [${of.join(", ")}]`;
    return badFormat(`Can not deserialize value of type ${name} from String "${value}": ${detail}`);
  },
  noNumber: (value) =>
    badFormat(`Can not deserialize value of type int from String "${value}": not a valid Integer value`),
  nowhere: "[Source: N/A; line: -1, column: -1]",
};

const mismatch = (text: string): BindingComplaint => ({ type: "mismatched_input_exception", text });

/** The mapper of OpenSearch. */
export const openSearchMapper: ClassMapper = {
  noText: (value) => mismatch(`Cannot deserialize value of type \`java.lang.String\` from ${newToken(value)}`),
  noList: (value) => noOpenSearchInstance("java.util.ArrayList", value),
  noListOf: (name, value) =>
    mismatch(`Cannot deserialize value of type \`java.util.ArrayList<${name}>\` from ${newToken(value)}`),
  noInstance: (name, value) => noOpenSearchInstance(name, value),
  noFlag: (value) =>
    badFormat(`Cannot deserialize value of type \`boolean\` from String "${value}": only "true" or "false" recognized`),
  noWord: (name, of, value) => {
    const detail = `not one of the values accepted for Enum class: [${of.join(", ")}]`;
    return badFormat(`Cannot deserialize value of type \`${name}\` from String "${value}": ${detail}`);
  },
  noNumber: (value) =>
    badFormat(`Cannot deserialize value of type \`int\` from String "${value}": not a valid \`int\` value`),
  nowhere: "[Source: UNKNOWN; byte offset: #UNKNOWN]",
};

function noOpenSearchInstance(name: string, value: Tree): BindingComplaint {
  if (Array.isArray(value) || value instanceof Map) {
    return mismatch(`Cannot deserialize value of type \`${name}\` from ${newToken(value)}`);
  }
  const { creator, detail } = scalar(value);
  const lacking = `no ${creator} constructor/factory method to deserialize from ${detail}`;
  return mismatch(`Cannot construct instance of \`${name}\` (although at least one Creator exists): ${lacking}`);
}

function newToken(value: Tree): string {
  const token = tokenOf(value);
  return `${token === "START_ARRAY" ? "Array" : "Object"} value (token \`JsonToken.${token}\`)`;
}
