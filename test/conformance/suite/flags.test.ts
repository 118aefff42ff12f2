// Entries that are the server's own: what is seen of them, and how each way to write them is refused.
import { type Case, onServers, reported } from "./case.ts";
import { ofEachFamily } from "./of-each-family.ts";
import { lacking } from "./shows.ts";
import type { Facts } from "./stage.ts";
import type { FamilyWords, Words } from "./words.ts";

onServers("usual", "flags", (words, facts) => ofEachFamily(words, (family) => flagged(family, words, facts)));

function flagged(family: FamilyWords, words: Words, { product }: Facts): readonly Case[] {
  const { path, kind, first, patched } = family;
  const edit = [{ op: "add", path: `/${patched.field}`, value: patched.value }];
  const forbidden = reported(403, words.reserved("suite_reserved"));
  const unavailable = "Resource 'suite_hidden' is not available.";
  const isOpenSearch = product === "opensearch";
  const admin = { who: "admin" } as const;
  return [
    {
      title: "a reserved entry is shown, and refuses every way to write it",
      steps: [
        { ...admin, ask: `GET ${path}/suite_reserved`, status: 200, shows: /"(reserved|readonly)":\s*"?true/ },
        { ...admin, ask: `PUT ${path}/suite_reserved`, send: first, status: 403, shows: forbidden },
        { ...admin, ask: `PATCH ${path}/suite_reserved`, send: edit, status: 403, shows: forbidden },
        { ...admin, ask: `DELETE ${path}/suite_reserved`, status: 403, shows: forbidden },
        {
          ...admin,
          ask: `PATCH ${path}`,
          send: [{ op: "remove", path: "/suite_reserved" }],
          status: 403,
          shows: forbidden,
        },
        { ...admin, ask: `GET ${path}/suite_reserved`, status: 200 },
      ],
    },
    {
      title: "a hidden entry is not to be seen, and refuses every way to write it",
      steps: [
        {
          ...admin,
          ask: `GET ${path}/suite_hidden`,
          status: 404,
          shows: reported(404, words.notFoundByGet(kind, "suite_hidden")),
        },
        { ...admin, ask: `GET ${path}`, status: 200, shows: lacking("suite_hidden") },
        {
          ...admin,
          ask: `PUT ${path}/suite_hidden`,
          send: first,
          status: isOpenSearch ? 404 : 403,
          shows: reported(isOpenSearch ? 404 : 403, unavailable),
        },
        {
          ...admin,
          ask: `DELETE ${path}/suite_hidden`,
          status: 404,
          shows: reported(404, isOpenSearch ? unavailable : words.notFound(kind, "suite_hidden")),
        },
        {
          ...admin,
          ask: `PATCH ${path}/suite_hidden`,
          send: edit,
          status: 404,
          shows: reported(404, isOpenSearch ? unavailable : words.notFound(kind, "suite_hidden")),
        },
        {
          ...admin,
          ask: `PATCH ${path}`,
          send: [{ op: "remove", path: "/suite_hidden" }],
          status: isOpenSearch ? 404 : 400,
          shows: isOpenSearch ? reported(404, unavailable) : reported(400, "Resource name 'suite_hidden' is reserved"),
        },
      ],
    },
    {
      title: "no one sets a flag by password",
      steps: [
        {
          ...admin,
          ask: `PUT ${path}/suite_a`,
          send: { ...first, reserved: true },
          status: 400,
          shows: /invalid_keys/,
        },
        { ...admin, ask: `PUT ${path}/suite_a`, send: { ...first, hidden: true }, status: 400, shows: /invalid_keys/ },
        { ...admin, ask: `PUT ${path}/suite_a`, send: { ...first, static: true }, status: 400, shows: /invalid_keys/ },
      ],
    },
  ];
}
