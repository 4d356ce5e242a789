import { z } from "zod";
import { accessOf } from "../accounts/scope.ts";
import type { Database } from "../database/database.ts";
import { endpoint, type Routes } from "../http/endpoint.ts";
import { ok } from "../http/response-data.ts";
import { tagKey } from "../tags/tag-name.ts";
import { text } from "../text.ts";
import type { BlogParts } from "./blog-parts.ts";

/** Suggestions at most. */
const MAX = 8;
/** The longest text that is completed. */
const TYPED_MAX = 1_000;

/** The endpoint that completes the tags of posts and drafts, for editors; accounts only. */
export function tagSuggestionApi({ database }: BlogParts): Routes {
  const suggest = endpoint(
    {
      id: "suggestPostTags",
      tag: { name: "Drafts", description: "Unpublished posts, for accounts only." },
      summary: "Suggest tags of posts",
      description: "The tags of posts and drafts that begin with what is typed, the most frequent first.",
      access: accessOf("private", "posts").readAccess,
      query: z.object({
        q: text({ max: TYPED_MAX }).meta({
          description: "The tag typed so far; a leading `#` is left off.",
          example: "no",
        }),
      }),
      responses: {
        200: {
          description: "The tags.",
          schema: z
            .object({ tags: z.array(z.object({ name: z.string(), count: z.int().min(0) })) })
            .meta({ id: "TagSuggestions" }),
          example: { tags: [{ name: "notebooks", count: 3 }] },
        },
      },
      refusals: [],
    },
    async ({ query }) => ok({ tags: await tagsThatBegin(database, tagKey(query.q.replace(/^#/, ""))) }),
  );
  return { "/api/drafts/suggest/": { GET: suggest } };
}

async function tagsThatBegin({ read: sql }: Database, prefix: string) {
  if (prefix === "") return [];
  const rows = await sql<{ name: string; posts: number }>`
    select min(name) as name, count(*) as posts from post_tags
    where key >= ${prefix} and key < ${`${prefix}\u{10ffff}`}
    group by key order by posts desc, key limit ${MAX}`;
  return rows.map(({ name, posts }) => ({ name, count: Number(posts) }));
}
