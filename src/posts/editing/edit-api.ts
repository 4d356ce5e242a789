import { z } from "zod";
import { accessOf } from "../../accounts/scope.ts";
import { idOf } from "../../accounts/tokens/token-api.ts";
import type { Sql } from "../../database/database.ts";
import { notFound, orNotFound } from "../../errors.ts";
import { okWithContentTag } from "../../http/caching/content-response.ts";
import { checkPreconditions, isNotModified } from "../../http/caching/etags.ts";
import { endpoint, NOT_MODIFIED_RESPONSE, type Routes } from "../../http/endpoint.ts";
import { envelope, pageNotFound, pageOf, pageParameters, pageSchema } from "../../http/pagination.ts";
import { noContent, notModified, ok, totalCount } from "../../http/response-data.ts";
import { parseEditKey } from "../../records/edit-key.ts";
import { asIssue, Timestamp } from "../../text.ts";
import type { BlogParts } from "../blog-parts.ts";
import { type Edit, EditReplace, EditResponse, toEditResponse } from "./edit.ts";
import { countEdits, deleteEdit, editEtag, findEdit, listEdits, lockEdit, saveEdit } from "./edit-store.ts";
import { createPreview, PREVIEW_DAYS, revokePreviews } from "./preview-links.ts";

const tag = {
  name: "Edits",
  description:
    "Working copies of posts, for editors. They do not affect published posts. A scheduled draft is published with the " +
    "working copy of it that was saved last.",
};
const KEY = "6b1f3c52-0c5e-4a6e-9d0e-3f6f2f1c7a10";
const example = {
  key: KEY,
  post: null,
  base_version: null,
  title: "First light",
  content: "Hel",
  fields: { tags: "notebooks" },
  created_at: "2026-11-21T06:40:12.345Z",
  updated_at: "2026-11-21T06:41:00.000Z",
};
const editNotFound = notFound("Edit", KEY);

/** The key in a path. */
const params = z.object({
  key: z
    .string()
    .transform((given, context) => {
      const key = parseEditKey(given);
      if (key !== undefined) return key;
      context.issues.push(asIssue({ code: "unknown_value", detail: "Must be a UUID." }, given));
      return z.NEVER;
    })
    .meta({ format: "uuid", description: "A UUID, chosen by the client.", example: KEY }),
});

/** Working copies of posts; accounts only. */
export function editApi({ database }: BlogParts): Routes {
  const { readAccess, writeAccess } = accessOf("private", "posts");
  const list = endpoint(
    {
      id: "listEdits",
      tag,
      summary: "List edits",
      description: "A page of working copies without their content, most recently changed first.",
      access: readAccess,
      query: z.object(pageParameters),
      headers: ["If-None-Match"],
      responses: {
        200: {
          description: "The page.",
          schema: pageSchema(EditResponse, "EditPage"),
          example: { count: 1, next: null, previous: null, results: [{ ...example, content: "" }] },
          headers: ["ETag", "X-Total-Count"],
        },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [pageNotFound(1)],
    },
    async ({ request, client, path, search, query }) => {
      // One snapshot, so that count and results agree.
      return database.snapshot(async (read) => {
        const page = pageOf(query, await countEdits(read));
        const edits = await listEdits(read, page);
        const listed = envelope(page, client.origin + path, search, edits.map(toEditResponse));
        return okWithContentTag(request, database, listed, { headers: totalCount(page.count) });
      });
    },
  );

  const read = endpoint(
    {
      id: "readEdit",
      tag,
      summary: "Read an edit",
      description: "The working copy as stored.",
      access: readAccess,
      params,
      headers: ["If-None-Match"],
      responses: {
        200: { description: "The edit.", schema: EditResponse, example, headers: ["ETag"] },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [editNotFound],
    },
    async ({ request, params }) => {
      const edit = await existing(database.read, params.key);
      const etag = editEtag(database.epoch, edit);
      if (isNotModified(request, etag)) return notModified(etag, "private");
      return ok(toEditResponse(edit), { etag });
    },
  );

  const save = endpoint(
    {
      id: "saveEdit",
      tag,
      summary: "Save an edit",
      description:
        "Stores a working copy exactly as sent, under a key chosen by the client. Repeating the stored content succeeds " +
        "even with an outdated `If-Match`, so that a client can retry after a lost response.",
      access: writeAccess,
      reads: readAccess,
      params,
      body: EditReplace,
      example: { title: "First light", content: "Hel", fields: { tags: "notebooks" } },
      headers: ["If-Match", "If-None-Match"],
      responses: {
        200: { description: "The stored edit.", schema: EditResponse, example, headers: ["ETag"] },
        201: { description: "The new edit.", schema: EditResponse, example, headers: ["ETag", "Location"] },
      },
      refusals: [],
    },
    async ({ request, params: { key }, body, caller, mayRead }) => {
      const { edit, isNew } = await saveEdit(database, request, key, body, caller.account?.id);
      const response = mayRead
        ? ok(toEditResponse(edit), { etag: editEtag(database.epoch, edit) })
        : ok({ key, ...body });
      return isNew ? { ...response, status: 201, location: `/api/edits/${key}/` } : response;
    },
  );

  const remove = endpoint(
    {
      id: "deleteEdit",
      tag,
      summary: "Delete an edit",
      description: "Deletes a working copy permanently. Its post does not change.",
      access: writeAccess,
      reads: readAccess,
      params,
      headers: ["If-Match", "If-None-Match"],
      responses: { 204: { description: "Deleted." } },
      refusals: [editNotFound],
    },
    ({ request, params: { key } }) =>
      database.write(async (sql) => {
        const edit = orNotFound(await lockEdit(sql, key), "Edit", key);
        checkPreconditions(request, editEtag(database.epoch, edit));
        await deleteEdit(sql, key);
        return noContent();
      }),
  );

  const share = endpoint(
    {
      id: "createPreviewLink",
      tag,
      summary: "Create a preview link",
      description:
        `For ${PREVIEW_DAYS} days, anyone with the link can see the working copy as the post would look, unless the account that made ` +
        "it is disabled or removed. Only with a session: a link outlives a token.",
      access: { ...writeAccess, person: true },
      hasSecret: true,
      params,
      responses: {
        201: {
          description: "The link, shown once.",
          schema: z
            .object({
              url: z.string().describe("The path of the preview on this server."),
              expires_at: Timestamp,
            })
            .meta({ id: "PreviewLink" }),
          example: { url: "/preview/0V0XlVaLEn_4cXr3Q7kWb1JxZ2s", expires_at: "2026-11-28T06:40:12.345Z" },
        },
      },
      refusals: [editNotFound],
    },
    async ({ params: { key }, caller }) => {
      const now = database.clock.now();
      const secret = await database.write(async (sql) => {
        await existing(sql, key);
        return createPreview(sql, key, idOf(caller), now);
      });
      const expiresAt = new Date(now.getTime() + PREVIEW_DAYS).toISOString();
      return { status: 201, body: JSON.stringify({ url: `/preview/${secret}`, expires_at: expiresAt }) };
    },
  );

  const unshare = endpoint(
    {
      id: "revokePreviewLinks",
      tag,
      summary: "Revoke the preview links",
      description: "Revokes all preview links of a working copy.",
      access: writeAccess,
      params,
      responses: { 204: { description: "Deleted." } },
      refusals: [editNotFound],
    },
    ({ params: { key } }) =>
      database.write(async (sql) => {
        await existing(sql, key);
        await revokePreviews(sql, key);
        return noContent();
      }),
  );

  return {
    "/api/edits/": { GET: list },
    "/api/edits/{key}/": { GET: read, PUT: save, DELETE: remove },
    "/api/edits/{key}/previews/": { POST: share, DELETE: unshare },
  };
}

async function existing(sql: Sql, key: string): Promise<Edit> {
  return orNotFound(await findEdit(sql, key), "Edit", key);
}
