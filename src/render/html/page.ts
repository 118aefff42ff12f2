import { computeTextDigest } from "../../json/canonical.ts";
import { browserScript } from "./browser-script.ts";
import { createMarkup as html, type Markup } from "./markup.ts";
import { styleSheet } from "./style-sheet.ts";

/**
 * A page that needs nothing but itself: no network, no other file. Its policy lets a browser run the one script and use
 * the one style sheet, by their digests, and load nothing; a name that became markup all the same could do nothing.
 */
export function* renderPage(title: string, body: Iterable<Markup>): Generator<string> {
  const policy = [
    "default-src 'none'",
    `style-src '${digestOf(styleSheet)}'`,
    `script-src '${digestOf(browserScript)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  yield "<!doctype html>\n";
  yield html`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
`.markup;
  yield `<style>${styleSheet}</style>\n</head>\n<body>\n`;
  for (const { markup } of body) yield `${markup}\n`;
  yield `<script>${browserScript}</script>\n</body>\n</html>\n`;
}

function digestOf(text: string): string {
  return `sha256-${Buffer.from(computeTextDigest(text), "hex").toString("base64")}`;
}
