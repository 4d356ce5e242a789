import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { notFound, orNotFound } from "../../errors.ts";
import { type Access, type Caller, unauthenticated } from "../../http/access.ts";
import { okWithContentTag } from "../../http/caching/content-response.ts";
import { checkPreconditions, contentTag } from "../../http/caching/etags.ts";
import { endpoint, NOT_MODIFIED_RESPONSE, type Routes } from "../../http/endpoint.ts";
import { futureInstant, PathId } from "../../http/parameters.ts";
import { created, noContent, totalCount } from "../../http/response-data.ts";
import { Timestamp, text } from "../../text.ts";
import { ACCOUNTS_TAG } from "../account.ts";
import type { AccountParts } from "../account-parts.ts";
import { revokeToken } from "../keys.ts";
import { CHOSEN_SCOPES, SCOPES, type Scope, TOKEN_SCOPES } from "../scope.ts";
import { createOwnToken } from "./create-token.ts";
import type { Token } from "./token.ts";
import { findOwnToken, listTokens } from "./token-store.ts";

const params = z.object({ id: PathId });
const missing = notFound("Token", 7);

/** Access with the scope `account`. */
export const ACCOUNT: Access = { scope: "account" satisfies Scope, anonymous: false };

const TokenResponse = z
  .object({
    id: z.int().min(1),
    name: z.string(),
    scopes: z.array(z.enum(TOKEN_SCOPES)),
    created_at: Timestamp,
    expires_at: Timestamp.nullable().describe("`null` if it does not expire."),
    last_used_at: Timestamp.nullable().describe("Accurate to the minute; `null` if never used."),
  })
  .meta({ id: "OwnToken" });
const CreatedToken = TokenResponse.extend({ token: z.string().describe("The key, shown only once.") }).meta({
  id: "CreatedToken",
});
const tokenCreate = (database: Database) =>
  z
    .object({
      name: text({ min: 1, max: 100 }).describe("The purpose of the token."),
      scopes: z
        .array(z.enum(CHOSEN_SCOPES))
        .min(1)
        .optional()
        .describe("Default: all scopes of the caller. With `mcp:` before them, for an assistant."),
      expires_at: futureInstant(database)
        .nullable()
        .optional()
        .describe("If `null` or omitted, the token does not expire."),
    })
    .meta({ id: "TokenCreate" });

const example = {
  id: 7,
  name: "reading list on the phone",
  scopes: ["bookmarks:read", "bookmarks:write"],
  created_at: "2026-11-21T06:40:12.345Z",
  expires_at: null,
  last_used_at: null,
};

/** The caller's tokens, over HTTP (docs/accounts.md). */
export function tokenApi({ database }: AccountParts): Routes {
  const list = endpoint(
    {
      id: "listTokens",
      tag: ACCOUNTS_TAG,
      summary: "List your tokens",
      description: "The tokens of the account, oldest first; their keys are not stored.",
      access: ACCOUNT,
      headers: ["If-None-Match"],
      responses: {
        200: {
          description: "The tokens.",
          schema: z.array(TokenResponse),
          example: [example],
          headers: ["ETag", "X-Total-Count"],
        },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [],
    },
    async ({ request, caller }) => {
      const tokens = (await listTokens(database.read, idOf(caller))).map(toResponse);
      return okWithContentTag(request, database, tokens, { headers: totalCount(tokens.length) });
    },
  );

  const create = endpoint(
    {
      id: "createOwnToken",
      tag: ACCOUNTS_TAG,
      summary: "Create a token",
      description:
        "A token can have only scopes that the caller has. `bookmarks:write` includes `bookmarks:read`, and `posts:write` includes " +
        "`posts:read`. Scopes with `mcp:` before them are for a token that is valid for `/mcp` alone. `Idempotency-Key` is refused, since keys are not stored.",
      access: ACCOUNT,
      hasSecret: true,
      body: tokenCreate(database),
      example: { name: example.name, scopes: example.scopes },
      responses: {
        201: {
          description: "The token, with its key.",
          schema: CreatedToken,
          example: { ...example, token: "cmpl_7_3f786850e387550fdab836ed7e6dc881de23001b5d8f1a2c" },
          headers: ["Location", "ETag"],
        },
      },
      refusals: [],
    },
    async ({ caller, path, body }) => {
      const scopes = body.scopes ?? SCOPES.filter((scope) => caller.scopes.has(scope));
      const expiresAt = body.expires_at ?? null;
      const { token, key } = await createOwnToken(database, caller, { name: body.name, scopes, expiresAt });
      const response = toResponse(token);
      const etag = contentTag(database.epoch, response);
      return created(`${path}${token.id}/`, { ...response, token: key }, etag);
    },
  );

  const read = endpoint(
    {
      id: "readToken",
      tag: ACCOUNTS_TAG,
      summary: "Read a token",
      description: "Returns one of your tokens, without its key.",
      access: ACCOUNT,
      params,
      headers: ["If-None-Match"],
      responses: {
        200: { description: "The token.", schema: TokenResponse, example, headers: ["ETag"] },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [missing],
    },
    async ({ request, caller, params }) =>
      okWithContentTag(request, database, toResponse(await existing(caller, params.id))),
  );

  const remove = endpoint(
    {
      id: "deleteToken",
      tag: ACCOUNTS_TAG,
      summary: "Revoke a token",
      description:
        "The key stops working at once, and so do the shared lists that it made, also those of a token that has signed out or " +
        "expired before.",
      access: ACCOUNT,
      params,
      headers: ["If-Match", "If-None-Match"],
      responses: { 204: { description: "The token is revoked." } },
      refusals: [missing],
    },
    async ({ request, caller, params: { id } }) => {
      const accountId = idOf(caller);
      const token = await findOwnToken(database.read, accountId, id);
      if (token !== undefined) checkPreconditions(request, contentTag(database.epoch, toResponse(token)));
      const isRevoked =
        typeof id === "number" && (await database.write((sql) => revokeToken(sql, id, accountId)));
      if (!isRevoked) throw notFound("Token", id);
      return noContent();
    },
  );

  async function existing(caller: Caller, id: number | bigint): Promise<Token> {
    return orNotFound(await findOwnToken(database.read, idOf(caller), id), "Token", id);
  }

  return {
    "/api/tokens/": { GET: list, POST: create },
    "/api/tokens/{id}/": { GET: read, DELETE: remove },
  };
}

/** @throws Refusal `unauthenticated` */
export function idOf({ account }: Caller): number {
  if (account === undefined) throw unauthenticated();
  return account.id;
}

function toResponse({ id, name, scopes, createdAt, expiresAt, lastUsedAt }: Token) {
  return {
    id,
    name,
    scopes,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}
