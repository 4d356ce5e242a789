import { z } from "zod";
import { accessOf, type Scope } from "../../accounts/scope.ts";
import { idOf } from "../../accounts/tokens/token-api.ts";
import type { Database } from "../../database/database.ts";
import { notFound, orNotFound } from "../../errors.ts";
import type { Caller } from "../../http/access.ts";
import { okWithContentTag } from "../../http/caching/content-response.ts";
import { checkPreconditions, contentTag } from "../../http/caching/etags.ts";
import { endpoint, NOT_MODIFIED_RESPONSE, type Routes } from "../../http/endpoint.ts";
import { futureInstant, PathId } from "../../http/parameters.ts";
import { created, noContent, totalCount } from "../../http/response-data.ts";
import { Timestamp, text } from "../../text.ts";
import type { BookmarkParts } from "../bookmark-parts.ts";
import { SHARE_TITLE_MAX, type Share, SharedQuery } from "./share.ts";
import { createShare, deleteShare, listShares } from "./share-store.ts";

const tag = {
  name: "Shared lists",
  description:
    "Lists of bookmarks for whoever has their secret address, and nothing else of the library. A list shows what its " +
    "search finds at the moment, without archived bookmarks.",
};
const params = z.object({ id: PathId });
const missing = notFound("Shared list", 7);

const ShareResponse = z
  .object({
    id: z.int().min(1),
    q: z.string().describe("The search whose matches are shown."),
    title: z.string(),
    notes: z.boolean().describe("Whether the notes are shown, too."),
    created_at: Timestamp,
    expires_at: Timestamp.nullable().describe("`null`: until it is stopped."),
  })
  .meta({ id: "Share" });
const CreatedShare = ShareResponse.extend({
  url: z
    .string()
    .describe(
      "The address, told only now. Below it, `/feed.atom` and `/feed.json` are the newest 100 as feeds.",
    ),
}).meta({ id: "CreatedShare" });
const shareCreate = (database: Database) =>
  z
    .object({
      q: SharedQuery.describe("A search for bookmarks; not blank."),
      title: text({ min: 1, max: SHARE_TITLE_MAX }).describe("The heading that readers see."),
      notes: z.boolean().default(false).describe("Whether readers see the notes, too."),
      expires_at: futureInstant(database)
        .nullable()
        .optional()
        .describe("If `null` or omitted, the list is shared until it is stopped."),
    })
    .meta({ id: "ShareCreate" });

const example = {
  id: 7,
  q: "#travel site:example.com",
  title: "Twelve things for the trip",
  notes: false,
  created_at: "2026-11-21T06:40:12.345Z",
  expires_at: null,
};

/** Shared lists of the caller's account (contract, section 15). */
export function shareApi({ database }: BookmarkParts): Routes {
  const { readAccess, writeAccess } = accessOf("private", "bookmarks");

  const list = endpoint(
    {
      id: "listShares",
      tag,
      summary: "List your shared lists",
      description: "The lists that your account shares, newest first; their addresses are not stored.",
      access: readAccess,
      headers: ["If-None-Match"],
      responses: {
        200: {
          description: "The shared lists.",
          schema: z.array(ShareResponse),
          example: [example],
          headers: ["ETag", "X-Total-Count"],
        },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [],
    },
    async ({ request, caller }) => {
      const shares = (await sharesOf(caller)).map(toResponse);
      return okWithContentTag(request, database, shares, { headers: totalCount(shares.length) });
    },
  );

  const create = endpoint(
    {
      id: "createShare",
      tag,
      summary: "Share a list",
      description:
        "Anyone with the address sees titles, addresses, tags and dates of the bookmarks that the search finds, also " +
        "those saved later, until the list expires or is stopped, the token that shared it is revoked, or the account that made it is disabled or removed. " +
        "`Idempotency-Key` is refused, since addresses are not stored.",
      hasSecret: true,
      // Whoever has the address reads.
      access: { ...writeAccess, alsoScopes: ["bookmarks:read" satisfies Scope] },
      body: shareCreate(database),
      example: { q: example.q, title: example.title, notes: false, expires_at: null },
      responses: {
        201: {
          description: "The shared list, with its address.",
          schema: CreatedShare,
          example: {
            ...example,
            url: "https://links.example/shared/k3V9xQ2mT7bLw0ZrYc5NdH",
          },
          headers: ["Location", "ETag"],
        },
      },
      refusals: [],
    },
    async ({ caller, client, path, body }) => {
      const accountId = idOf(caller);
      const { q: query, title, notes: withNotes, expires_at } = body;
      const expiresAt = expires_at ?? null;
      const { share, secret } = await database.write((sql) =>
        createShare(
          sql,
          { query, title, withNotes, expiresAt, tokenId: caller.tokenId },
          accountId,
          database.clock.now(),
        ),
      );
      const url = `${client.origin}/shared/${secret}`;
      return created(`${path}${share.id}/`, { ...toResponse(share), url }, tagOf(share));
    },
  );

  const read = endpoint(
    {
      id: "readShare",
      tag,
      summary: "Read a shared list",
      description: "What is shared, and until when; not its address.",
      access: readAccess,
      params,
      headers: ["If-None-Match"],
      responses: {
        200: { description: "The shared list.", schema: ShareResponse, example, headers: ["ETag"] },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [missing],
    },
    async ({ request, caller, params }) =>
      okWithContentTag(request, database, toResponse(await existing(caller, params.id))),
  );

  const remove = endpoint(
    {
      id: "stopShare",
      tag,
      summary: "Stop sharing a list",
      description: "The address and its feeds stop working at once.",
      access: writeAccess,
      params,
      headers: ["If-Match", "If-None-Match"],
      responses: { 204: { description: "The list is not shared any more." } },
      refusals: [missing],
    },
    async ({ request, caller, params: { id } }) => {
      checkPreconditions(request, tagOf(await existing(caller, id)));
      const now = database.clock.now();
      if (!(await database.write((sql) => deleteShare(sql, id, now, idOf(caller)))))
        throw notFound("Shared list", id);
      return noContent();
    },
  );

  function tagOf(share: Share): string {
    return contentTag(database.epoch, toResponse(share));
  }

  function sharesOf(caller: Caller): Promise<Share[]> {
    return listShares(database.read, idOf(caller), database.clock.now());
  }

  async function existing(caller: Caller, id: number | bigint): Promise<Share> {
    return orNotFound(
      (await sharesOf(caller)).find((one) => one.id === id),
      "Shared list",
      id,
    );
  }

  return {
    "/api/shares/": { GET: list, POST: create },
    "/api/shares/{id}/": { GET: read, DELETE: remove },
  };
}

function toResponse({ id, query, title, withNotes, createdAt, expiresAt }: Share) {
  return {
    id,
    q: query,
    title,
    notes: withNotes,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
  };
}
