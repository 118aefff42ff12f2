import { getScalarSource, type Node, type ScalarNode } from "../model/node.ts";
import { hideInCommand } from "./command-words.ts";
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
    case "list":
      return {
        ...node,
        items:
          path.at(-1) === "exec"
            ? hideInWords(node.items, path)
            : node.items.map((item) => hideSecretsOfConfig(item, path)),
      };
    case "scalar":
      return repeatableScalar(node, path);
  }
}

function hideInWords(items: readonly Node[], path: readonly string[]): readonly Node[] {
  const shown = hideInCommand(items.map((item) => (item.kind === "scalar" ? `${item.value ?? ""}` : "")));
  return items.map((item, at) =>
    item.kind === "scalar" ? withText(item, () => shown[at] ?? "") : hideSecretsOfConfig(item, path),
  );
}

/** A command that should be a list. */
function hideInLine(text: string): string {
  return hideInCommand(text.trim().split(/\s+/)).join(" ");
}

function repeatableScalar(node: ScalarNode, [section, ...below]: readonly string[]): ScalarNode {
  const settings = section === "targets" ? below.slice(1) : section === "defaults" ? below : [];
  const [setting, ...rest] = settings;
  if (setting === undefined || isReference(getScalarSource(node))) return node;
  if (setting === "url") return withText(node, withoutLogin);
  if (setting === "auth" && rest.at(-1) === "exec") return withText(node, hideInLine);
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
const publicOfAuth: ReadonlySet<string> = new Set(["username", "aws"]);

function withText(node: ScalarNode, hide: (text: string) => string): ScalarNode {
  const change = (text: string) => {
    const hidden = hide(text);
    return hidden === text ? text : hidden.replace(/\*+/g, mask);
  };
  const value = typeof node.value === "string" ? change(node.value) : node.value;
  return { ...node, value, shown: change(getScalarSource(node)) };
}

/** To the last @: in an address that is wrong, nothing says where a password ends. Nor has it a query, where tokens are. */
function withoutLogin(text: string): string {
  return text
    .replace(/^((?:["']?[\w+.-]+:\/\/)?)(.*)@/s, (_, scheme: string, login: string) => `${scheme}${login && mask}@`)
    .replace(/(?<=[?#]).+/s, mask);
}
