import { z } from "zod";
import { accessOf } from "../../accounts/scope.ts";
import type { Sql } from "../../database/database.ts";
import { notFound, orNotFound } from "../../errors.ts";
import { JSON_BODY, MERGE_PATCH_BODY } from "../../http/body/body-decoders.ts";
import { checkPreconditions, entityTag, isNotModified } from "../../http/caching/etags.ts";
import { type Call, endpoint, NOT_MODIFIED_RESPONSE, type Routes } from "../../http/endpoint.ts";
import { PathId } from "../../http/parameters.ts";
import { notModified, ok, type ResponseData } from "../../http/response-data.ts";
import type { BlogParts } from "../blog-parts.ts";
import type { Post, PostCollection } from "../post.ts";
import { findPost, lockPost, withTags } from "../post-store.ts";
import { changePublication, SLUG_TAKEN } from "./change-publication.ts";
import {
  PublicationPatch,
  PublicationReplace,
  PublicationResponse,
  toPublicationResponse,
} from "./publication.ts";

const tag = {
  name: "Publications",
  description:
    "How the site presents a post: slug, summary, tags, dates, and when a draft is published automatically.",
};
const params = z.object({ id: PathId });
const example = {
  kind: "post",
  link: null,
  slug: "first-light",
  summary: "How it began.",
  tags: ["notebooks"],
  published_at: "2026-11-21T06:40:12.345Z",
  publish_at: null,
  language: "en",
  image: null,
  canonical_url: null,
};

/** The publication of each post of a collection: a resource of its own, since a post has exactly six members. */
export function publicationApi(collection: PostCollection, blog: BlogParts): Routes {
  const { database } = blog;
  const { readAccess, writeAccess } = collection === "posts" ? blog : accessOf("private", "posts");
  const noun = collection === "posts" ? "Post" : "Draft";
  const caching = readAccess.anonymous ? "public" : "private";
  const one = { description: "The publication.", schema: PublicationResponse, example };
  const refusals = [notFound(noun, 7), SLUG_TAKEN];

  const read = endpoint(
    {
      id: `read${noun}Publication`,
      tag,
      summary: `Read the publication of a ${noun.toLowerCase()}`,
      description: "It has its own entity tag, which comments do not change.",
      access: readAccess,
      params,
      headers: ["If-None-Match"],
      responses: { 200: { ...one, headers: ["ETag"] }, 304: NOT_MODIFIED_RESPONSE },
      refusals: [notFound(noun, 7)],
    },
    async ({ request, params }) => {
      const post = await database.snapshot(async (read) => withTags(read, await existing(read, params.id)));
      const etag = tagOf(post);
      if (isNotModified(request, etag)) return notModified(etag, caching);
      return ok(toPublicationResponse(post), { etag, caching });
    },
  );

  const replace = endpoint(
    {
      id: `replace${noun}Publication`,
      tag,
      summary: `Replace the publication of a ${noun.toLowerCase()}`,
      description: "Omitted members get their default values, except that the slug and `published_at` stay.",
      access: writeAccess,
      reads: readAccess,
      params,
      body: PublicationReplace,
      example: { slug: "first-light", summary: "How it began.", tags: ["notebooks"] },
      headers: ["If-Match", "If-None-Match"],
      responses: { 200: one },
      refusals,
    },
    (call) =>
      // Nothing to unschedule on a post that is published.
      change(
        call,
        collection === "posts" ? { ...call.body, publish_at: call.body.publish_at ?? undefined } : call.body,
      ),
  );

  const patch = endpoint(
    {
      id: `change${noun}Publication`,
      tag,
      summary: `Change the publication of a ${noun.toLowerCase()}`,
      description:
        "Changes the given members and leaves the others unchanged (RFC 7396). A draft with `publish_at` is published at " +
        "that moment; a former slug redirects to the post.",
      access: writeAccess,
      reads: readAccess,
      params,
      body: PublicationPatch,
      takes: [MERGE_PATCH_BODY, JSON_BODY],
      example: collection === "posts" ? { slug: "first-light" } : { publish_at: "2031-01-01T09:00:00Z" },
      headers: ["If-Match", "If-None-Match"],
      responses: { 200: one },
      refusals,
    },
    (call) => change(call, call.body),
  );

  async function change(
    { request, params: { id }, mayRead }: Pick<Call<typeof params>, "request" | "params" | "mayRead">,
    given: PublicationPatch,
  ): Promise<ResponseData> {
    return database.write(async (sql) => {
      if (typeof id === "number") await lockPost(sql, id);
      const post = await existing(sql, id);
      checkPreconditions(request, tagOf(post));
      const changed = await changePublication(sql, post, given, database.clock.now());
      return ok(mayRead ? toPublicationResponse(changed) : given);
    });
  }

  async function existing(sql: Sql, id: number | bigint): Promise<Post> {
    return orNotFound(await findPost(sql, collection, id), noun, id);
  }

  function tagOf({ publicationVersion }: Post): string {
    return entityTag(database.epoch, publicationVersion);
  }

  return { [`/api/${collection}/{id}/publication/`]: { GET: read, PUT: replace, PATCH: patch } };
}
