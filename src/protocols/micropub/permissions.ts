import type { Scope } from "../../accounts/scope.ts";
import { Refusal } from "../../errors.ts";
import {
  type Access,
  type AccessPolicy,
  type Authenticator,
  type Caller,
  unauthenticated,
} from "../../http/access.ts";
import type { Call } from "../../http/endpoint.ts";
import { insufficientScope } from "./operation.ts";

/** What a program may do to posts, named like Micropub's scopes. */
export type Action = "create" | "update" | "delete" | "media" | "read";

/**
 * The scopes that allow an action: Micropub's, of tokens from IndieAuth, and those of the API, of keys that a
 * person created.
 */
const GRANTED: Readonly<Record<Action, readonly Scope[]>> = {
  create: ["micropub:create"],
  update: ["micropub:update"],
  delete: ["micropub:delete"],
  media: ["micropub:media", "micropub:create"],
  read: ["micropub:update"],
};

/** Checks that a caller may do this to posts, or to bookmarks. @throws Refusal otherwise */
export function authorizeAction({ scopes }: Caller, action: Action, of: "posts" | "bookmarks"): void {
  const own: Scope = action === "read" ? `${of}:read` : `${of}:write`;
  if (scopes.has(own) || GRANTED[action].some((scope) => scopes.has(scope))) return;
  throw insufficientScope(action === "read" ? "update" : action);
}

/** Checks that a caller may ask for the tags of posts: any permission for posts is enough. @throws Refusal */
export function authorizeListingTags({ scopes }: Caller): void {
  if (![...scopes].some((scope) => /^(?:posts|micropub):/.test(scope))) throw insufficientScope("create");
}

/**
 * Whether a caller is told of records that it has not written: every program of IndieAuth, and keys that may read, but not
 * a key that may only write.
 */
export function learns({ scopes }: Caller, of: "posts" | "bookmarks"): boolean {
  return [...scopes].some((scope) => scope === `${of}:read` || scope.startsWith("micropub:"));
}

/** Whether a caller may create drafts only. */
export function isLimitedToDrafts({ scopes }: Caller): boolean {
  return !scopes.has("posts:write") && !scopes.has("micropub:create") && scopes.has("micropub:draft");
}

const SIGNED_IN: Access = { anonymous: false };

/**
 * Access by a token in the header or in the form field `access_token`. Other requests without the header are
 * refused before the body is read, and so are long forms.
 *
 * @param formLimit the maximum number of bytes read to find the field
 */
export function tokenAccess(formLimit: number): AccessPolicy {
  return {
    current({ request: { headers } }) {
      const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(
        headers.get("content-type") ?? "",
      );
      const length = headers.get("content-length");
      const isShort = length !== null && Number(length) <= formLimit;
      return !headers.has("authorization") && isForm && isShort ? { anonymous: true } : SIGNED_IN;
    },
    documented: SIGNED_IN,
  };
}

/**
 * The caller of a request's token. Sessions are not accepted, since pages of any origin may call.
 *
 * @param field the form's `access_token`
 * @throws Refusal `unauthenticated`, or `malformed` for two different tokens in both places. RFC 6750, section 2, forbids
 *   the same one, too, but programs send it, such as Quill.
 */
export async function tokenCaller(
  { caller, client, request, stamp }: Pick<Call, "caller" | "client" | "request" | "stamp">,
  authenticator: Authenticator,
  field?: unknown,
): Promise<Caller> {
  const header = request.headers.get("authorization");
  if (field !== undefined && header !== null && header.replace(/^\S+\s+/, "").trim() !== field)
    throw new Refusal(
      "malformed",
      "The token in the header and the one in the form are different: send one.",
    );
  if (caller.by === "token") return caller;
  if (typeof field !== "string") throw unauthenticated();
  const headers = { authorization: `Bearer ${field.replace(/[^\x21-\x7e]/g, "?")}` };
  return authenticator.authenticate({
    request: new Request(`${client.origin}/`, { headers }),
    client,
    stamp,
  });
}
