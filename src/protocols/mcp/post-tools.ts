import { z } from "zod";
import type { Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import { notFound, orNotFound, Refusal } from "../../errors.ts";
import type { BlogParts } from "../../posts/blog-parts.ts";
import { indexedPosts } from "../../posts/indexed-posts.ts";
import { POST_TITLE_MAX, type Post, type TaggedPost } from "../../posts/post.ts";
import {
  findPost,
  findPostOrDraft,
  findTaggedPosts,
  insertPost,
  lockPost,
  updatePost,
  withTags,
} from "../../posts/post-store.ts";
import { changePublication } from "../../posts/publication/change-publication.ts";
import { recordDraftAdded, recordDraftRevised } from "../../posts/recorded-drafts.ts";
import { PUBLICATION_MEMBERS, sitePath } from "../../records/publication-members.ts";
import { text } from "../../text.ts";
import { refuseForeignPictures } from "./foreign-pictures.ts";
import { changedSince } from "./link-tools.ts";
import { ListInput, listAnswer, listOf } from "./list.ts";
import { authorOf, changed, lastPage, pagesOf, type Tool, tool } from "./tool.ts";

const READING = ["posts:read"] as const;
const WRITING = ["posts:read", "posts:write"] as const;

const Id = z.int().min(1);
const title = text({ min: 1, max: POST_TITLE_MAX });
const content = text().describe("Markdown, without pictures of other sites.");
const { summary, tags, link } = PUBLICATION_MEMBERS;

/** What agents can do with posts: nothing that readers see. */
export function postTools(blog: BlogParts): readonly Tool[] {
  const { database, search } = blog;

  const searchPosts = tool({
    name: "search_posts",
    title: "Search posts",
    description:
      'Finds posts and drafts of the blog. Syntax: word other, "a phrase", begin*, -not, one OR other, #tag, title:word, text:word, author:name, after:2025-03, before:2026. Without a query, lists the newest.',
    scopes: READING,
    input: ListInput.extend({ which: z.enum(["all", "published", "drafts"]).default("all") }),
    async answer({ origin }, { which, ...given }) {
      const { query, sort, limit, after } = listOf(database, indexedPosts, given);
      const visible =
        which === "all"
          ? undefined
          : fragment`exists (select 1 from posts p where p.id = e.id and p.published = ${which === "published"})`;
      const matches = await search.pageAndCount({ query, sort, limit, after, visible });
      const { page } = matches;
      const found = page.ids.length === 0 ? new Map() : await findTaggedPosts(database.readMany, page.ids);
      const posts = page.ids.flatMap((id) => {
        const post: TaggedPost | undefined = found.get(id);
        return post === undefined ? [] : [toShown(post, origin)];
      });
      return listAnswer(database, sort, matches, "post", posts);
    },
  });

  const readPost = tool({
    name: "read_post",
    title: "Read a post",
    description: "Reads a post or draft: its Markdown in pages of some 8,000 characters.",
    scopes: READING,
    input: z.strictObject({ id: Id, page: z.int().min(1).default(1).describe("The page of the text.") }),
    async answer({ origin }, { id, page }) {
      const post = await database.snapshot(async (read) =>
        withTags(read, orNotFound(await findPostOrDraft(read, id), "Post", id)),
      );
      const pages = pagesOf(post.content);
      if (page > pages.length) throw lastPage(`post ${id}`, pages.length);
      const next =
        page < pages.length ? `For more, call read_post with page ${page + 1}.` : "This is the last page.";
      const { quoted, ...shown } = toShown(post, origin);
      return {
        message: `Post ${id}, page ${page} of ${pages.length}. ${next}`,
        data: { post: { ...shown, quoted: { ...quoted, text: pages[page - 1] } }, page, pages: pages.length },
      };
    },
  });

  const draftPost = tool({
    name: "draft_post",
    title: "Draft a post",
    description: "Writes a draft for the blog. Only a person can publish it.",
    scopes: WRITING,
    input: z.strictObject({
      title,
      content,
      summary: summary.optional(),
      tags: tags.optional(),
      link: link.optional().describe("The page that the post points to, for a post of the kind link."),
    }),
    async answer(call, { title, content, link, ...members }) {
      await refuseForeignPictures(blog, content);
      const now = database.clock.now();
      const { draft, undo } = await database.write(async (sql) => {
        const post = await insertPost(
          sql,
          { title, content, published: false },
          call.caller.account?.id,
          now,
        );
        const kind = link == null ? undefined : ({ kind: "link", link } as const);
        const draft = await changePublication(sql, post, { ...members, ...kind }, now);
        return { draft, undo: await recordDraftAdded(sql, draft, authorOf(call.caller), now) };
      });
      return changed(call, `Draft ${draft.id} is written: ${editorOf(draft, call.origin)}`, undo, {
        ...{ id: draft.id, version: versionOf(draft), editor: editorOf(draft, call.origin) },
      });
    },
  });

  const reviseDraft = tool({
    name: "revise_draft",
    title: "Revise a draft",
    description:
      "Changes a draft; what is left out stays. Published and scheduled posts are never changed. Needs the version that read_post, search_posts or draft_post gave: if somebody else was faster, nothing is changed.",
    scopes: WRITING,
    input: z.strictObject({
      id: Id,
      version: z.int().min(1),
      title: title.optional(),
      content: content.optional(),
      summary: summary.optional(),
      tags: tags.optional(),
    }),
    async answer(call, { id, version, title, content, ...members }) {
      if (content !== undefined)
        await refuseForeignPictures(blog, content, (await findPostOrDraft(database.read, id))?.content);
      const now = database.clock.now();
      const by = authorOf(call.caller);
      const { after, undo } = await database.write(async (sql) => {
        const before = await lockedDraft(sql, id);
        if (versionOf(before) !== version) throw changedSince("Draft", id, versionOf(before));
        const current = await changePublication(sql, before, members, now);
        const fields = { title: title ?? before.title, content: content ?? before.content, published: false };
        const isSame = fields.title === before.title && fields.content === before.content;
        const after = isSame ? current : await updatePost(sql, current, fields, now, by);
        if (after === undefined) throw new Error("a locked draft was changed");
        return { after, undo: await recordDraftRevised(sql, before, after, by, now) };
      });
      return changed(call, `Draft ${id} is changed: ${editorOf(after, call.origin)}`, undo, {
        ...{ id, version: versionOf(after), editor: editorOf(after, call.origin) },
      });
    },
  });

  return [searchPosts, readPost, draftPost, reviseDraft];
}

/** A draft, locked. @throws Refusal `not_found`, or `conflict` for one that readers see, or will see */
async function lockedDraft(sql: Sql, id: number): Promise<TaggedPost> {
  const locked = await lockPost(sql, id);
  const post = locked && (await findPost(sql, locked.collection, id));
  if (post === undefined) throw notFound("Draft", id);
  if (post.published) throw new Refusal("conflict", `Post ${id} is published: only a person can change it.`);
  if (post.publishAt !== null)
    throw new Refusal("conflict", `Draft ${id} is scheduled: only a person can change it.`);
  return withTags(sql, post);
}

/** Grows with every change of the text and of the publication. */
function versionOf({ version, publicationVersion }: Post): number {
  return version + publicationVersion;
}

function editorOf({ id }: Post, origin: string): string {
  return `${origin}/write?post=${id}`;
}

function toShown(post: TaggedPost, origin: string) {
  const { id, kind, published, publishAt, publishedAt, createdAt, title, summary, tags, link } = post;
  const state = published ? "published" : publishAt === null ? "draft" : "scheduled";
  return {
    ...{ id, version: versionOf(post), kind, state, created: createdAt.toISOString() },
    date: (publishAt ?? publishedAt)?.toISOString() ?? null,
    quoted: {
      source: published ? origin + sitePath(post) : editorOf(post, origin),
      ...{ title, summary, tags, ...(link !== null && { link }) },
    },
  };
}
