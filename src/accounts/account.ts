import { z } from "zod";
import { Timestamp, text, textErrors } from "../text.ts";

/** The heading of the operations on accounts in the OpenAPI document. */
export const ACCOUNTS_TAG = {
  name: "Accounts",
  description: "Signing in and out, and your account's tokens, sessions and password.",
};

/** Letters, digits, `.`, `_` and `-` of ASCII; unique without regard to case. */
const USERNAME = /^[A-Za-z0-9._-]{1,64}$/;

/** The limits of a password: minimum in characters, maximum in bytes of UTF-8. There are no other rules. */
const PASSWORD_MIN = 10;
const PASSWORD_MAX_BYTES = 1_024;

/** An account as it is stored. */
export interface Account {
  readonly id: number;
  readonly username: string;
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

/** The error of a password; undefined if it is valid. */
export function passwordError(password: string): string | undefined {
  const [error] = textErrors(password, {});
  if (error !== undefined) return `Invalid character in the password: ${error.detail}`;
  if ([...password].length < PASSWORD_MIN) return `A password must have at least ${PASSWORD_MIN} characters.`;
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES)
    return `A password may have at most ${PASSWORD_MAX_BYTES} bytes.`;
  return undefined;
}

/** The members of the response; the hash of the password is not among them. */
export function toResponse({ id, username, createdAt }: Account): AccountResponse {
  return { id, username, created_at: createdAt.toISOString() };
}
