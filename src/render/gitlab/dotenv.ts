/**
 * A dotenv report of GitLab: variables for later jobs, all beginning with `GATE_SYNC_`, the result first. GitLab takes no
 * quotes, no spaces and no empty lines there; what is empty is left out.
 *
 * @param outputs by name; single words
 */
export function renderDotenv({ result = "", ...others }: Readonly<Record<string, string | number>>): string {
  return Object.entries({ result, ...others })
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `GATE_SYNC_${name.toUpperCase()}=${value}\n`)
    .join("");
}
