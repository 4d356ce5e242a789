import { Refusal } from "../../errors.ts";
import {
  type Access,
  type AccessPolicy,
  type Authenticator,
  type Caller,
  unauthenticated,
} from "../../http/access.ts";
import type { Call } from "../../http/endpoint.ts";

const SIGNED_IN: Access = { anonymous: false };

/**
 * A token comes in the header or, with a form, in its field `access_token`. What comes with neither is refused before
 * its body is read, and so is a long form without the header.
 *
 * @param formLimit the most bytes that are read to look for the field
 */
export function tokenAccess(formLimit: number): AccessPolicy {
  return {
    current({ headers }) {
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
 * The account of a request's token. A session is none: pages of any origin may call.
 *
 * @param field the form's `access_token`
 * @throws Refusal `unauthenticated`, or `malformed` for a token in both places (RFC 6750, section 2)
 */
export async function tokenCaller(
  { caller, client, request }: Pick<Call, "caller" | "client" | "request">,
  authenticator: Authenticator,
  field?: unknown,
): Promise<Caller> {
  if (field !== undefined && request.headers.has("authorization"))
    throw new Refusal("malformed", "The token comes in the header or in the form, not in both.");
  if (caller.by === "token") return caller;
  if (typeof field !== "string") throw unauthenticated();
  const headers = { authorization: `Bearer ${field.replace(/[^\x21-\x7e]/g, "?")}` };
  return authenticator.authenticate(new Request(`${client.origin}/`, { headers }), client);
}
