/**
 * The hashes of the internal users that OpenSearch and Search Guard come with, the prefix without its version: their
 * passwords are their names.
 */
const demoHashes: ReadonlySet<string> = new Set([
  "$2$12$VcCDgh2NDk07JGN0rjGbM.Ad41qVR/YFJcgHp0UGns5JDymv..TOG",
  "$2$12$TRwAAJgnNo67w3rVUz4FIeLx9Dy/llB79zf9I15CKJ9vkM4ZzAd3.",
  "$2$12$4AcgAt3xwOWadA5s5blL6ev39OXDNhmOesEoo33eZtrq2N0YrU3H.",
  "$2$12$JJSXNfTowz7Uu5ttXfeYpeYE0arACvcwlPBStB1F.MI7f0U9Z4DGC",
  "$2$12$u1ShR4l4uBS3Uv59Pa2y5.1uQuZBrZtmNfqB3iM/.jL0XoV9sghS2",
  "$2$12$ae4ycwzwvLtZxwZ82RmiEunBbIPiAmGZduBAjKN0TXdwQFtCwARz2",
  "$2$12$DpwmetHKwgYnorbgdvORCenv4NAK8cPUg8AI6pxLCuWf/ALc0.v7W",
]);

/** Of these users, of the demo configuration, and of the first lines of every list of common ones. */
export const demoPasswords: ReadonlySet<string> = new Set([
  ...["admin", "anomalyadmin", "kibanaserver", "kibanaro", "logstash", "readall", "snapshotrestore"],
  ...[
    "myStrongPassword123!",
    "changeit",
    "changeme",
    "password",
    "Passw0rd!",
    "123456",
    "12345678",
    "qwerty",
    "secret",
  ],
]);

/** Of these users, those that servers mark as their own: no file has to declare them. */
export const reservedDemoUsers = ["admin", "kibanaserver"] as const;

/** Whether it is the hash of such a user: a bcrypt hash of a password is the same with `$2a`, `$2b`, `$2x` and `$2y`. */
export function isDemoHash(hash: string): boolean {
  return demoHashes.has(hash.replace(/^\$2[abxy]\$/, "$$2$$"));
}
