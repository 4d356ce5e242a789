import { randomBytes } from "node:crypto";

/**
 * Content keys are the keys with which websites read the published posts through Ghost's Content API, and nothing else.
 * Browsers see them, so they give no access to the account.
 */

/** The format that Ghost's clients require. */
const CONTENT_KEY = /^[0-9a-f]{26}$/;

/** A new content key, of 104 random bits. */
export function newContentKey(): string {
  return randomBytes(13).toString("hex");
}

export function isContentKey(text: string): boolean {
  return CONTENT_KEY.test(text);
}
