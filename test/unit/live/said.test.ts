import { expect, it } from "vitest";
import { said } from "../../../src/live/said.ts";

it.each([
  ["https://u:hunter2@h/login?next=1", "https://h/login"],
  ["https://u:hunter2@x@h/a@b", "https://h/a@b"],
  ["https://u:hun#ter2?@h/login", "https://h/login"],
  ["//u:hunter2@h", "//h"],
  ["https://h:9200/a@b#c", "https://h:9200/a@b"],
  ["/login@x", "/login@x"],
])("a redirection to %s says %s", (location, shown) => {
  const answer = { status: 302, text: "", body: undefined, milliseconds: 1, location };
  expect(said(answer)).toBe(`redirects to ${shown}`);
});

it.each([
  ["<html><head><title>502 Bad\nGateway </title></head>nginx</html>", "a web page, “502 Bad Gateway”"],
  ["<!DOCTYPE html><p>no title", "a web page"],
  ["plain text", "plain text"],
])("of %j no more than %s", (text, shown) =>
  expect(said({ status: 502, text, body: undefined, milliseconds: 1 })).toBe(shown),
);
