import { createHash, randomBytes } from "node:crypto";

/**
 * A key with which a website reads the published posts through Ghost's Content API, and nothing else. Browsers see
 * it, so it gives no access to the account.
 */
export interface ContentKey {
  readonly id: number;
  readonly accountId: number;
  /** The purpose of the key. */
  readonly name: string;
  readonly createdAt: Date;
  /** Accurate to the minute; null if it was never used. */
  readonly lastUsedAt: Date | null;
}

/** The format that Ghost's clients require. */
const CONTENT_KEY = /^[0-9a-f]{26}$/;

/** A new key of 104 random bits. */
export function newContentKey(): string {
  return randomBytes(13).toString("hex");
}

export function isContentKey(text: string): boolean {
  return CONTENT_KEY.test(text);
}

/** The form in which a key is stored and found, in hexadecimal. */
export function hashOfContentKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
