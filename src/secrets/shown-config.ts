import { getScalarSource, type Node, type ScalarNode } from "../model/node.ts";
import { maskCommand } from "./command-words.ts";
import { isSecretField } from "./config-fields.ts";
import { mask } from "./masked-line.ts";
import { isReference, maskInString } from "./masked-text.ts";

/**
 * gate-sync.yaml as messages may repeat it: a value where a reference to a secret belongs becomes asterisks, and so
 * does a login in an address. Places and types stay.
 */
export function hideSecretsOfConfig(node: Node, path: readonly string[] = []): Node {
  switch (node.kind) {
    case "map":
      return {
        ...node,
        entries: node.entries.map((entry) => ({
          ...entry,
          value: hideSecretsOfConfig(entry.value, [...path, entry.key]),
        })),
      };
    case "list": {
      const items = node.items.map((item) => hideSecretsOfConfig(item, path));
      return { ...node, items: path.at(-1) === "exec" ? hideInCommand(items) : items };
    }
    case "scalar":
      return repeatableScalar(node, path);
  }
}

function hideInCommand(items: readonly Node[]): readonly Node[] {
  const shown = maskCommand(items.map((item) => (item.kind === "scalar" ? `${item.value ?? ""}` : "")));
  return items.map((item, at) => (item.kind === "scalar" ? withText(item, () => shown[at] ?? "") : item));
}

function repeatableScalar(node: ScalarNode, [section, ...below]: readonly string[]): ScalarNode {
  const settings = section === "targets" ? below.slice(1) : section === "defaults" ? below : [];
  const [setting, ...rest] = settings;
  if (setting === undefined || isReference(getScalarSource(node))) return node;
  if (setting === "url") return withText(node, withoutLogin);
  const isSecret =
    setting === "headers" ||
    (setting === "vars" && isSecretField(rest.at(-1) ?? "")) ||
    (setting === "auth" && !publicOfAuth.has(rest[0] ?? "")) ||
    (setting === "tls" && (rest[0] === "passphrase" || isKeyMaterial(rest[0], node)));
  return withText(node, isSecret ? (text) => text && mask : (text) => maskInString(text, false));
}

/** A private key itself, where mostly the path of its file is. */
function isKeyMaterial(field: string | undefined, { value }: ScalarNode): boolean {
  if (typeof value !== "string" || (field !== "key" && field !== "pkcs12")) return false;
  return /-----BEGIN|[\r\n]|^MI[A-Za-z0-9+/]{60}/.test(value);
}

/** Everything else under `auth` may be a login in the wrong shape. */
const publicOfAuth: ReadonlySet<string> = new Set(["username", "exec", "aws"]);

function withText(node: ScalarNode, hide: (text: string) => string): ScalarNode {
  const change = (text: string) => {
    const hidden = hide(text);
    return hidden === text ? text : hidden.replace(/\*+/g, mask);
  };
  const value = typeof node.value === "string" ? change(node.value) : node.value;
  return { ...node, value, shown: change(getScalarSource(node)) };
}

/** To the last @: in an address that is wrong, nothing says where a password ends. */
function withoutLogin(text: string): string {
  return text.replace(/^((?:["']?[\w+.-]+:\/\/)?)(.*)@/s, (_, scheme: string, login: string) => {
    return `${scheme}${login && mask}@`;
  });
}
