import { expect, test } from "vitest";
import { hideInCommand } from "../../../src/secrets/command-words.ts";

const mask = "********";

test.each<[words: readonly string[], shown: readonly string[]]>([
  [
    ["vault", "read", "-field=hunter2", "secret/ci", "-f", "./ci.key"],
    ["vault", "read", `-f${mask}`, "secret/ci", "-f", "./ci.key"],
  ],
  [
    ["aws", "configure", "export-credentials", "--format", "hunter2"],
    ["aws", "configure", "export-credentials", "--format", mask],
  ],
  [
    ["/opt/bin/login2", "get_login.py", "--password", "/hunter2"],
    ["/opt/bin/login2", "get_login.py", "--password", mask],
  ],
  [
    ["env", "PASSWORD=hunter2", "login", "$PASSWORD", "${env:A}"],
    ["env", `PASSWORD=${mask}`, "login", "$PASSWORD", "${env:A}"],
  ],
  [
    ["login", "--role", "search", "--key=./ci.key", "--cert", "@~/ci.pem"],
    ["login", "--role", mask, "--key=./ci.key", "--cert", "@~/ci.pem"],
  ],
  [
    ["C:\\Tools\\login.exe", "--stdin"],
    ["C:\\Tools\\login.exe", "--stdin"],
  ],
])("of %j, programs, names of options and paths are shown: %j", (words, shown) => {
  expect(hideInCommand(words)).toEqual(shown);
});

test.each([
  ["curl", "-u", "ci:hunter2"],
  ["curl", "-uci:hunter2"],
  ["mysql", "-phunter2"],
  ["login", "--password", "hunter"],
  ["login", "--password=hunter2"],
  ["login", "--token", "${env:NOPE:-hunter2}"],
  ["login", "--token=$hunter2"],
  ["sh", "-c", "curl -u ci:hunter2 https://search.example"],
  ["sh", "-c", "PASSWORD=hunter2 login"],
  ["curl -u ci:hunter2 https://search.example"],
  ["curl", "-H", "Authorization: Bearer hunter2"],
  ["curl", "-H", "X-Any: hunter2"],
  ["curl", "https://ci:hunter2@search.example"],
  ["curl", "https://search.example?token=hunter2"],
  ["curl", "https://search.example/hooks/hunter2"],
  ["echo", '{"password":"hunter2"}'],
  ["login", "ci", "Xhunter2"],
  ["login", "HUNTER2==".toLowerCase()],
  ["login", "--stdin", "hunter"],
])("no secret is shown of %j %j %j", (...words) => {
  expect(hideInCommand(words).join("\n").toLowerCase()).not.toContain("hunter");
});
