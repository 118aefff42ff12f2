// How long a secret is, and of how many words, is shown nowhere: what is shown is the same for all that a file could have.
import { expect, test } from "vitest";
import { createDiagnostic } from "../../../src/diagnostics/diagnostic.ts";
import { parseDocuments } from "../../../src/load/yaml.ts";
import { renderUnifiedDiff } from "../../../src/render/text/unified-diff.ts";
import { placeIn } from "../../../src/render/views/finding-place.ts";
import { recordParsedFile } from "../../../src/secrets/masked-line.ts";
import { maskDiagnostic } from "../../../src/secrets/masked-message.ts";
import { diagnosticsText } from "../../support/rendered.ts";
import { plain } from "../render/plans.ts";

const secrets = ["x", "pq7", "hunter2", "canary-that-is-as-long-as-no-other", "three words here", "e".repeat(100)];

test.each([
  ["password: SECRET", "password"],
  ["password: SECRET", "SECRET"],
  ['{ user: ana, password: "SECRET" }', "SECRET"],
  ["password: &a SECRET", "&a"],
  ["password: ${env:P:-SECRET}", "${env"],
  ["url: https://ci:SECRET@search.example", "https"],
  ["headers: { X-Team: SECRET }", "X-Team"],
  ["signing_key: |\n  SECRET", "SECRET"],
  ['exec: [login, --token, "SECRET"]', "exec"],
  ["password: SECRET # note", "password"],
])("of %s, at %s", (text, at) => {
  const shown = secrets.map((secret) => {
    const file = { path: "a.yml", text: text.replace("SECRET", secret) };
    // What is shorter is in any sentence.
    const quoted = secret.length < 4 ? "********" : secret;
    const place = at.replace("SECRET", secret);
    const { documents, diagnostics } = parseDocuments(file);
    if (diagnostics.length === 0) recordParsedFile(file, documents);
    const start = file.text.indexOf(place);
    const end = Math.max(start + place.length, at === "password" ? 0 : file.text.length);
    const found = createDiagnostic({ file, start, end }, "wrong-type", {
      what: `It must not be ${JSON.stringify(quoted)}.`,
    });
    return {
      text: diagnosticsText([maskDiagnostic(found)], { files: 1, consequence: "" }, plain),
      diff: renderUnifiedDiff({ path: file.path, before: undefined, after: file } as never, plain),
      place: { ...placeIn(found.range, undefined, { toForgePath: (path) => path }), file: undefined },
    };
  });
  for (const one of shown) expect(one).toEqual(shown[0]);
});
