import { z } from "zod";
import { type TextError, Timestamp, text, textErrors } from "../text.ts";

/** The heading of the operations on accounts in the OpenAPI document. */
export const ACCOUNTS_TAG = {
  name: "Accounts",
  description: "Signing in and out, and your account's tokens, sessions and password.",
};

/** Letters, digits, `.`, `_` and `-` of ASCII; unique without regard to case. */
const USERNAME = /^[A-Za-z0-9._-]{1,64}$/;

/** The limits of a password: minimum in characters, maximum in bytes of UTF-8. There are no other rules. */
export const PASSWORD_MIN = 10;
export const PASSWORD_MAX_BYTES = 1_024;

/** An account as it is stored. */
export interface Account {
  readonly id: number;
  /** The name to sign in with. */
  readonly username: string;
  /** The name that readers see; the sign-in name until another one is set. */
  readonly displayName: string;
  readonly passwordHash: string;
  readonly createdAt: Date;
  readonly disabled: boolean;
}

/** The body of a sign-in. The rules for new passwords do not apply: a wrong password is a 401. */
export const Credentials = z.object({ username: text(), password: text() }).meta({ id: "Credentials" });
export type Credentials = z.output<typeof Credentials>;

/** An account as it is returned. */
export const AccountResponse = z
  .object({ id: z.int().min(1), username: z.string(), created_at: Timestamp })
  .meta({ id: "Account" });
export type AccountResponse = z.output<typeof AccountResponse>;

/** The key of a name, under which it is unique and found: the name without regard to case. */
export function usernameKey(username: string): string {
  return username.toLowerCase();
}

/** The error of an account name; undefined if it is valid. */
export function usernameError(username: string): string | undefined {
  return USERNAME.test(username)
    ? undefined
    : "A username must have 1 to 64 letters, digits, dots, underscores and hyphens.";
}

/** The length of a displayed name, in characters: that of the name above a comment. */
export const DISPLAY_NAME_MAX = 100;

/** The error of a password; undefined if it is valid. */
export function passwordError(password: string): TextError | undefined {
  const [error] = textErrors(password, {});
  if (error !== undefined) return { ...error, detail: `Invalid character in the password: ${error.detail}` };
  if ([...password].length < PASSWORD_MIN)
    return { code: "too_short", detail: `A password must have at least ${PASSWORD_MIN} characters.` };
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES)
    return { code: "too_long", detail: `A password may have at most ${PASSWORD_MAX_BYTES} bytes.` };
  return undefined;
}

/** The members of the response; the hash of the password is not among them. */
export function toResponse({ id, username, createdAt }: Account): AccountResponse {
  return { id, username, created_at: createdAt.toISOString() };
}
