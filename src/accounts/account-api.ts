import { z } from "zod";
import { monotonicNow } from "../clock.ts";
import { type Access, unauthenticated } from "../http/access.ts";
import { FORM_BODY, JSON_BODY } from "../http/body/body-decoders.ts";
import { checkPreconditions, entityTag, isNotModified } from "../http/caching/etags.ts";
import { endpoint, NOT_MODIFIED_RESPONSE, type Routes } from "../http/endpoint.ts";
import { crossSite } from "../http/guards/same-site.ts";
import { noContent, notModified, ok } from "../http/response-data.ts";
import { Timestamp } from "../text.ts";
import { ACCOUNTS_TAG, AccountResponse, Credentials, toResponse } from "./account.ts";
import type { AccountParts } from "./account-parts.ts";
import { findAccount } from "./account-store.ts";
import { SCOPES } from "./scope.ts";
import { clearCookie, hashOfSession, sessionKeyOf } from "./sign-in/session.ts";
import { deleteSession } from "./sign-in/session-store.ts";
import { signIn, wrongCredentials } from "./sign-in/sign-in.ts";
import { tooManyFailuresRefusal } from "./sign-in/sign-in-throttle.ts";
import { signInForSession } from "./sign-in/start-session.ts";
import { hashOfSecret, keyOf, newSecret } from "./tokens/token.ts";
import { deleteToken, insertToken } from "./tokens/token-store.ts";

const credentials = { username: "editor", password: "correct horse battery" };
const account = { id: 1, username: "editor", created_at: "2026-11-21T06:40:12.345Z" };
const TokenResponse = z.object({ token: z.string(), expires_at: Timestamp }).meta({ id: "Token" });
const signedIn = { description: "The account.", schema: AccountResponse, example: account };

/** A token may read and revoke itself, whatever its scopes. */
const SIGNED_IN: Access = { anonymous: false };

/** Signing in and out by token (docs/accounts.md). */
export function tokenSignInApi({ database, log, tokenTtl }: AccountParts): Routes {
  const createToken = endpoint(
    {
      id: "createToken",
      tag: ACCOUNTS_TAG,
      summary: "Sign in and get a token",
      skipsAuthentication: true,
      usesReserve: true,
      description: "Send the token as `Authorization: Token …` or `Authorization: Bearer …`.",
      body: Credentials,
      takes: [JSON_BODY, FORM_BODY],
      example: credentials,
      responses: {
        200: {
          description: "A new token with all scopes. It is shown only once.",
          schema: TokenResponse,
          example: {
            token: "cmpl_1_3f786850e387550fdab836ed7e6dc881de23001b5d8f1a2c",
            expires_at: "2026-12-21T06:40:12.345Z",
          },
        },
      },
      refusals: [wrongCredentials(), tooManyFailuresRefusal(4)],
    },
    async ({ body, client }) => {
      return signIn({ database, log }, body, client, async (account) => {
        const now = new Date(monotonicNow(database.clock));
        const expiresAt = new Date(now.getTime() + tokenTtl);
        const secret = newSecret();
        const token = { name: "sign-in", secretHash: hashOfSecret(secret), scopes: SCOPES, expiresAt };
        const id = await database.write((sql) => insertToken(sql, account, token, now));
        return id === undefined
          ? undefined
          : ok({ token: keyOf(id, secret), expires_at: expiresAt.toISOString() });
      });
    },
  );

  const revokeToken = endpoint(
    {
      id: "revokeToken",
      tag: ACCOUNTS_TAG,
      summary: "Revoke the current token",
      access: SIGNED_IN,
      description:
        "Signs out: the token that authenticates this request stops working. Lists that it has shared stay; `DELETE /api/tokens/{id}/` ends " +
        "them, too.",
      responses: { 204: { description: "The token is revoked." } },
      refusals: ["unauthenticated"],
    },
    async ({ caller: { tokenId } }) => {
      if (tokenId === undefined) throw unauthenticated();
      await database.write((sql) => deleteToken(sql, tokenId));
      return noContent();
    },
  );

  return { "/api/token/": { POST: createToken, DELETE: revokeToken } };
}

/** Signing in and out by session (docs/accounts.md). */
export function sessionApi(accounts: AccountParts): Routes {
  const { database } = accounts;

  const createSession = endpoint(
    {
      id: "createSession",
      tag: ACCOUNTS_TAG,
      summary: "Sign in with a session cookie",
      skipsAuthentication: true,
      usesReserve: true,
      description: "Sets a session cookie, for browsers. Programs should use a token.",
      changesSession: true,
      body: Credentials,
      example: credentials,
      responses: { 200: { ...signedIn, headers: ["Set-Cookie"] } },
      refusals: [wrongCredentials(), crossSite(), tooManyFailuresRefusal(4)],
    },
    async ({ request, body, client }) => {
      const { account, cookie } = await signInForSession(accounts, request, client, body);
      return ok(toResponse(account), { headers: { "set-cookie": cookie } });
    },
  );

  const readSession = endpoint(
    {
      id: "readSession",
      tag: ACCOUNTS_TAG,
      summary: "Read the current account",
      access: SIGNED_IN,
      description: "The account of the token or session that authenticates this request.",
      headers: ["If-None-Match"],
      responses: { 200: { ...signedIn, headers: ["ETag"] }, 304: NOT_MODIFIED_RESPONSE },
      refusals: ["unauthenticated"],
    },
    async ({ request, caller }) => {
      const account = caller.account && (await findAccount(database.read, caller.account.id));
      if (account === undefined) throw unauthenticated();
      const etag = tagOf(account);
      return isNotModified(request, etag) ? notModified(etag, "private") : ok(toResponse(account), { etag });
    },
  );

  const deleteOwnSession = endpoint(
    {
      id: "deleteSession",
      tag: ACCOUNTS_TAG,
      summary: "Sign out",
      description: "Ends the session and deletes the cookie.",
      changesSession: true,
      headers: ["If-Match", "If-None-Match"],
      responses: {
        204: { description: "Signed out. Succeeds even without a session.", headers: ["Set-Cookie"] },
      },
      refusals: [crossSite()],
    },
    async ({ request, client, caller }) => {
      checkPreconditions(request, caller.account && tagOf(caller.account));
      const key = sessionKeyOf(request, client.scheme);
      if (key !== undefined) await database.write((sql) => deleteSession(sql, hashOfSession(key)));
      return noContent({ "set-cookie": clearCookie(client.scheme) });
    },
  );

  /** The response never changes for an account, so the id serves as its version. */
  function tagOf({ id }: { readonly id: number }): string {
    return entityTag(database.epoch, id);
  }

  return { "/api/session/": { GET: readSession, POST: createSession, DELETE: deleteOwnSession } };
}
