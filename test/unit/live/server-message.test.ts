import { expect, it } from "vitest";
import { formatServerMessage } from "../../../src/live/server-message.ts";

it.each([
  ["https://u:hunter2@h/login?next=1", "https://h/login"],
  ["https://u:hunter2@x@h/a@b", "https://h/a@b"],
  ["https://u:hun#ter2?@h/login", "https://h/login"],
  ["//u:hunter2@h", "//h"],
  ["https://h:9200/a@b#c", "https://h:9200/a@b"],
  ["/login@x", "/login@x"],
])("a redirection to %s says %s", (location, shown) => {
  const answer = { status: 302, text: "", body: undefined, milliseconds: 1, location };
  expect(formatServerMessage(answer)).toBe(`redirects to ${shown}`);
});

it.each([
  ["<html><head><title>502 Bad\nGateway </title></head>nginx</html>", "a web page, “502 Bad Gateway”"],
  ["<!DOCTYPE html><p>no title", "a web page"],
  ["plain text", "plain text"],
])("of %j no more than %s", (text, shown) =>
  expect(formatServerMessage({ status: 502, text, body: undefined, milliseconds: 1 })).toBe(shown),
);

const secretInWords = "(the answer may hold a secret and is not shown)";
it.each([
  ["JSON", '{"password":"hunter2"}'],
  ["JSON in a message", JSON.stringify({ message: `cannot read ${JSON.stringify({ bind_password: "hunter2" })}` })],
  [
    "JSON in JSON in JSON",
    JSON.stringify({ reason: JSON.stringify({ x: JSON.stringify({ signing_key: "hunter2" }) }) }),
  ],
  ["what Java prints", "Unable to parse {type=jwt, signing_key=hunter2}"],
  ["HTML", "cannot read {&quot;password&quot;: &quot;hunter2&quot;}"],
])("of the value of a secret field in %s nothing", (_how, text) => {
  const parsed = text.startsWith("{") ? JSON.parse(text) : undefined;
  expect(formatServerMessage({ status: 500, text, body: parsed, milliseconds: 1 })).toBe(secretInWords);
});

it.each(["The password: too short", "invalid_keys: password", "no tokens left", '{"license":"invalid"}'])(
  "of %j all, which is no value of a secret",
  (text) => expect(formatServerMessage({ status: 400, text, body: undefined, milliseconds: 1 })).toBe(text),
);
