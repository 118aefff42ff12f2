import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";

// AES-256-GCM. Equal texts are encrypted equally, so that equal plans are equal files: the nonce is a digest of the text.

const [nonceLength, tagLength] = [12, 16];

/** The text, encrypted, in Base64. */
export function encryptText(text: string, key: string): string {
  const nonce = derive(key, `nonce\n${text}`).subarray(0, nonceLength);
  const cipher = createCipheriv("aes-256-gcm", derive(key, "encryption"), nonce);
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString("base64");
}

/** Undefined where it was encrypted by another key, or edited. */
export function decryptText(encrypted: string, key: string): string | undefined {
  const bytes = Buffer.from(encrypted, "base64");
  if (bytes.length < nonceLength + tagLength) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", derive(key, "encryption"), bytes.subarray(0, nonceLength));
  decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
  try {
    const text = [decipher.update(bytes.subarray(nonceLength + tagLength)), decipher.final()];
    return Buffer.concat(text).toString("utf8");
  } catch {
    return undefined;
  }
}

function derive(key: string, purpose: string): Buffer {
  return createHmac("sha256", key).update(purpose).digest();
}
