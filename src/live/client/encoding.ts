import { isUtf8 } from "node:buffer";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";

/** Bytes from which on a request body is worth compressing. */
export const worthPacking = 64 * 1024;

export async function compressBody(body: string): Promise<Uint8Array> {
  return promisify(gzip)(body);
}

/**
 * The text of an answer, without a byte order mark.
 *
 * @param maximum bytes; an answer of a few kilobytes may unpack to gigabytes
 * @param isExact invalid UTF-8 is refused, not replaced
 * @throws ERR_NOT_UTF8 for that, ERR_BUFFER_TOO_LARGE beyond it, Z_… where the bytes do not fit their encoding,
 * ERR_ENCODING for an encoding that was not asked for
 */
export async function decompressBody(
  bytes: Uint8Array,
  encoding: string | undefined,
  maximum: number,
  isExact = false,
): Promise<string> {
  const isPacked = /^(x-)?gzip$/i.test(encoding ?? "") && bytes.length > 0;
  if (!isPacked && !/^(identity|(x-)?gzip)?$/i.test(encoding ?? "")) {
    throw Object.assign(new Error(`It is packed as ${encoding}`), { code: "ERR_ENCODING" });
  }
  const plain = isPacked ? await promisify(gunzip)(bytes, { maxOutputLength: maximum }) : bytes;
  if (isExact && !isUtf8(plain)) throw Object.assign(new Error("It is not valid UTF-8"), { code: "ERR_NOT_UTF8" });
  return new TextDecoder().decode(plain);
}
