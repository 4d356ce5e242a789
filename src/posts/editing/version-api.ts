import { z } from "zod";
import { accessOf } from "../../accounts/scope.ts";
import type { Sql } from "../../database/database.ts";
import { notFound, orNotFound } from "../../errors.ts";
import { okWithContentTag } from "../../http/caching/content-response.ts";
import { endpoint, NOT_MODIFIED_RESPONSE, type Routes } from "../../http/endpoint.ts";
import { envelope, pageNotFound, pageOf, pageParameters, pageSchema } from "../../http/pagination.ts";
import { PathId } from "../../http/parameters.ts";
import { totalCount } from "../../http/response-data.ts";
import { Timestamp } from "../../text.ts";
import type { BlogParts } from "../blog-parts.ts";
import type { PostCollection } from "../post.ts";
import { findPost } from "../post-store.ts";
import { countVersions, findVersion, listVersions, type PostVersion } from "./post-versions.ts";

const tag = { name: "Versions", description: "The previous versions of a post." };
const params = z.object({ id: PathId });

const Version = z
  .object({
    number: z.int().min(1).describe("From 1, oldest first."),
    title: z.string(),
    content: z.string(),
    published: z.boolean(),
    replaced_at: Timestamp.describe("The time at which the next version replaced it."),
  })
  .meta({ id: "PostVersion" });

const example = {
  number: 1,
  title: "First light",
  content: "Hello.",
  published: true,
  replaced_at: "2026-11-22T08:00:00.000Z",
};

export function versionApi(collection: PostCollection, { database }: BlogParts): Routes {
  const { readAccess } = accessOf("private", "posts");
  const noun = collection === "posts" ? "Post" : "Draft";

  const list = endpoint(
    {
      id: `list${noun}Versions`,
      tag,
      summary: `List the versions of a ${noun.toLowerCase()}`,
      description: "A page of previous versions, newest first. The current version is the post itself.",
      access: readAccess,
      params,
      query: z.object(pageParameters),
      headers: ["If-None-Match"],
      responses: {
        200: {
          description: "The page.",
          schema: pageSchema(Version, `${noun}VersionPage`),
          example: { count: 1, next: null, previous: null, results: [example] },
          headers: ["ETag", "X-Total-Count"],
        },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [notFound(noun, 7), pageNotFound(1)],
    },
    async ({ request, client, path, search, params, query }) => {
      // One snapshot, so that the post exists, and count and results agree.
      return database.snapshot(async (read) => {
        const id = await existing(read, params.id);
        const page = pageOf(query, await countVersions(read, id));
        const versions = await listVersions(read, id, page);
        const listed = envelope(page, client.origin + path, search, versions.map(toResponse));
        return okWithContentTag(request, database, listed, { headers: totalCount(page.count) });
      });
    },
  );

  const read = endpoint(
    {
      id: `read${noun}Version`,
      tag,
      summary: `Read a version of a ${noun.toLowerCase()}`,
      description: "A previous version.",
      access: readAccess,
      params: params.extend({ number: PathId }),
      headers: ["If-None-Match"],
      responses: {
        200: { description: "The text.", schema: Version, example, headers: ["ETag"] },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [notFound(noun, 7), notFound("Version", 1)],
    },
    async ({ request, params: { id, number } }) => {
      const version = orNotFound(
        await findVersion(database.read, await existing(database.read, id), number),
        "Version",
        number,
      );
      return okWithContentTag(request, database, toResponse(version));
    },
  );

  async function existing(sql: Sql, id: number | bigint): Promise<number> {
    const post = orNotFound(await findPost(sql, collection, id), noun, id);
    return post.id;
  }

  return {
    [`/api/${collection}/{id}/versions/`]: { GET: list },
    [`/api/${collection}/{id}/versions/{number}/`]: { GET: read },
  };
}

function toResponse({ replacedAt, ...version }: PostVersion) {
  return { ...version, replaced_at: replacedAt.toISOString() };
}
