import { matchesPattern } from "../patterns/matches.ts";
import { findRequiredRuns } from "../patterns/required.ts";

/**
 * Whether some names of a kind have this run of characters and others do not: `ou=` is in every distinguished name, and
 * all of a directory end like it.
 */
export function isSpecific(run: string): boolean {
  if ([...run].length < 2) return false;
  const parts = run.replace(endOfDirectory, ",").replace(commonParts, "").replace(attributeTypes, ",");
  const own = parts.replace(ofArns, "");
  const word = own.replace(/^[\s,;+=@.:]+|[\s,;+=@.:]+$/g, "");
  if (word === "" || (own !== run && [...word].length < 2)) return false;
  return !(run.startsWith(".") && topDomains.has(word.toLowerCase()));
}

/** Of distinguished names; also the end of one, behind a wildcard. */
const attributeTypes =
  /(?:^|(?<=[\s,;+]))(?:cn|ou|o|dc|uid|c|l|st|s|sn|street|title|t|e|mail|email|emailaddress|userid|givenname|serialnumber|[a-z]?)\s*=/gi;

const endOfDirectory = /(?:^|[\s,;+]+)dc\s*=[^,;+=]+(?:[,;+]\s*dc\s*=[^,;+=]+)?$/i;

/** Where a directory keeps all of its people and groups, how domains of one's own begin, and a country. */
const commonParts =
  /(?:^|(?<=[\s,;+]))(?:(?:cn|ou|dc)\s*=\s*(?:users|people|groups|ad|corp|local|internal|lan)|c\s*=\s*[a-z]{2})\s*(?:[,;+]|$)/gi;

/** Of names that AWS gives; an account is a part of them. */
const ofArns = /^arn:(?:aws[\w-]*:)?(?:(?:iam|sts):+)?|:(?:assumed-role|role|user|group)\//g;

const topDomains: ReadonlySet<string> = new Set("com net org local localdomain internal lan corp".split(" "));

/**
 * Of patterns with a few characters each, those that together match nearly every name of a kind: some of them, as each
 * is as wide as all. None where there are names of each kind that they do not match.
 */
export function findWideTogether(patterns: readonly string[]): readonly string[] {
  const short = patterns.filter((pattern) => /[*?]|^\/.*\/$/s.test(pattern) && hasShortRuns(pattern));
  if (short.length === 0) return [];
  return samples.some((names) => matchNearlyAll(short, names)) ? short.toSorted().slice(0, mostTaken) : [];
}

function matchNearlyAll(patterns: readonly string[], names: readonly string[]): boolean {
  let left = names.length * mostMissed;
  return names.every((name) => patterns.some((pattern) => matchesPattern(pattern, name) === "yes") || left-- >= 1);
}

const mostMissed = 0.1;
const mostTaken = 5;
const longestShort = 4;

function hasShortRuns(pattern: string): boolean {
  return findRequiredRuns(pattern).some((runs) => runs.every((run) => [...run].length <= longestShort));
}

const given =
  `adam aisha alice ana anders andrea bao barbara bela bjorn boris brian carlos cedric chen chloe clara daniel
  david diego dmitri edward elena emma erik fatima felix finn francois gabriel george greta gustav hana hans heidi hugo
  ibrahim ingrid isabel ivan jack jana jin john julia karim karl katja kenji kofi lars laura leila liam luca magda maria
  mehmet mia michael mohammed nadia nina noah olga oliver omar otto pablo paul petra pierre priya quentin quinn rafael
  ravi robert rosa ryan sakura samuel sara simon sofia stefan tariq thomas tom ulrich uma ursula valentina viktor wanda
  wei william xavier ximena yara yasmin yusuf zara zoe`.split(/\s+/);
const places = ["sales", "it", "legal", "finance", "people", "support", "research", "board", "plant", "field"];
const domains = ["acme.io", "beta.example", "gov.example", "uni.example", "shop.example", "web.test", "x1.example"];

/** Names of each kind: plain ones, addresses of mail, distinguished names, hosts and their addresses. */
const samples: readonly (readonly string[])[] = [
  given,
  given.map((name, at) => `${name}.${given.at(-at - 1)}@${domains[at % domains.length]}`),
  given.map((name, at) => `cn=${name},ou=${places[at % places.length]},o=${domains[at % domains.length]}`),
  given.map((name, at) => `${places[at % places.length]}-${name}.${domains[at % domains.length]}`),
  Array.from({ length: 128 }, (_, at) => `${2 * at}.${(at * 37) % 256}.${(at * 91) % 256}.${(at * 53) % 256}`),
];
