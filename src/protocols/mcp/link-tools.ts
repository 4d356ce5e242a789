import { z } from "zod";
import { type Bookmark, webUrl } from "../../bookmarks/bookmark.ts";
import { findBookmark, findBookmarks, holdBookmarks } from "../../bookmarks/bookmark-store.ts";
import { changeIn, changeStatesOfMany } from "../../bookmarks/bulk/change-many.ts";
import { mergeFields } from "../../bookmarks/merge-fields.ts";
import { addRecorded, detailsOf, editRecorded } from "../../bookmarks/recorded-bookmarks.ts";
import { findIdOfPage } from "../../bookmarks/search/bookmark-of-url.ts";
import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import {
  checkCopies,
  checkedQuery,
  insideSentences,
  mayReadCopies,
} from "../../bookmarks/search/inside-copies.ts";
import { retaggedDescription } from "../../bookmarks/tags/change-tags.ts";
import { TagName } from "../../bookmarks/tags/tag-names.ts";
import type { CopyParts } from "../../copies/copy-parts.ts";
import type { Sql } from "../../database/database.ts";
import { holdKey } from "../../database/hold-key.ts";
import { htmlAsMarkdown } from "../../decoding/html-markdown.ts";
import { orNotFound, Refusal } from "../../errors.ts";
import { TITLE_MAX } from "../../records/bookmark-members.ts";
import { pageKey } from "../../search/text/page-key.ts";
import { tagsOf, textOf } from "../../tags/description-tags.ts";
import { tagKey } from "../../tags/tag-name.ts";
import { text } from "../../text.ts";
import { ListInput, listAnswer, listOf } from "./list.ts";
import { refuseShared } from "./shared-lists.ts";
import { authorOf, changed, lastPage, pagesOf, shortened, type Tool, tool } from "./tool.ts";

const READING = ["bookmarks:read"] as const;
const WRITING = ["bookmarks:read", "bookmarks:write"] as const;

const Id = z.int().min(1);
const Ids = z.array(Id).min(1).max(100).describe("Ids of links, 100 at most.");
const Tags = z.array(TagName).max(50);
const title = text({ max: TITLE_MAX });
const note = text().describe("Plain text. A #word in it is a tag.");

/** What agents can do with links. */
export function linkTools(parts: CopyParts): readonly Tool[] {
  const { database, bookmarks, store } = parts;
  const { search } = bookmarks;

  const searchLinks = tool({
    name: "search_links",
    title: "Search links",
    description:
      'Finds saved links by words in their titles, notes, tags, addresses, the copies of their pages and the marks in them. Syntax: word other, "a phrase", begin*, -not, one OR other, #tag, tag:none, site:example.com, title:word, note:word, page:word, has:copy, has:mark, is:unread, is:archived, after:2025-03, before:2026. Without a query, lists the newest.',
    scopes: READING,
    input: ListInput,
    async answer(call, given) {
      const { query, sort, limit, after } = listOf(database, indexedBookmarks, given);
      const inside = await mayReadCopies(bookmarks, call);
      checkedQuery(() => checkCopies(query, inside), { parameter: "query" });
      const matches = await search.pageAndCount({ query, sort, limit, after, inside });
      const { page } = matches;
      const found = await findBookmarks(database.readMany, page.ids);
      const sentences = await insideSentences(bookmarks, query, page);
      const links = page.ids.flatMap((id) => {
        const bookmark = found.get(id);
        if (bookmark === undefined) return [];
        const sentence = sentences.get(id)?.text;
        return [toLink(bookmark, shortened(textOf(bookmark.description)), sentence)];
      });
      return listAnswer(database, sort, matches, "link", links);
    },
  });

  const readLink = tool({
    name: "read_link",
    title: "Read a link",
    description:
      "Reads a link with its note, and the text of the copy of its page, if one is kept, as Markdown in pages of some 8,000 characters.",
    scopes: READING,
    input: z.strictObject({ id: Id, page: z.int().min(1).default(1).describe("The page of the text.") }),
    async answer(call, { id, page }) {
      const mayRead = await mayReadCopies(bookmarks, call);
      const { bookmark, copy, html } = await database.snapshot(async (read) => {
        const bookmark = orNotFound(await findBookmark(read, id), "Link", id);
        const copy = mayRead ? await store.read(read, id) : undefined;
        return { bookmark, copy, html: copy ? await store.html(read, copy.id) : "" };
      });
      const texts = pagesOf(htmlAsMarkdown(html));
      const notes = pagesOf(textOf(bookmark.description));
      const pages = Math.max(texts.length, notes.length);
      if (page > pages) throw lastPage(`link ${id}`, pages);
      const next =
        page < pages ? `For more, call read_link with page ${page + 1}.` : "This is the last page.";
      return {
        message: `Link ${id}${copy ? "" : ", of whose page no copy is kept"}: page ${page} of ${pages}. ${next}`,
        data: {
          link: toLink(bookmark, notes[page - 1] ?? ""),
          copy: copy
            ? {
                ...{ taken_at: copy.takenAt.toISOString(), words: copy.words },
                quoted: { source: copy.url, title: copy.title, text: texts[page - 1] ?? "" },
              }
            : null,
          ...{ page, pages },
        },
      };
    },
  });

  const addLink = tool({
    name: "add_link",
    title: "Add a link",
    description:
      "Saves a web page in the library. A page that is there already is not added again: then its id is returned. The server does not visit the page, so pass its title.",
    scopes: WRITING,
    input: z.strictObject({
      url: webUrl,
      title: title.default("").describe("The title of the page."),
      note: note.default(""),
      tags: Tags.default([]).describe("Better those that exist: see suggest_tags and list_tags."),
      unread: z.boolean().default(false).describe("Whether it is to be read later."),
    }),
    async answer(call, { url, title, note, tags, unread }) {
      const now = database.clock.now();
      const fields = mergeFields(undefined, { url, title, description: note, tag_names: tags });
      const { id, undo } = await database.write(async (sql) => {
        await holdKey(sql, pageKey(url));
        const there = await findIdOfPage(sql, url);
        if (there !== undefined) return { id: there, undo: null };
        const { bookmark, undo } = await addRecorded(sql, { ...fields, unread }, authorOf(call.caller), now);
        await refuseShared(sql, search, [bookmark.id], now);
        return { id: bookmark.id, undo };
      });
      if (undo !== null) return changed(call, `Saved as link ${id}.`, undo, { id, version: 1 });
      const message = `This page is link ${id} already, which is unchanged. Use edit_link or tag_links.`;
      return { message, data: { id, undo } };
    },
  });

  const editLink = tool({
    name: "edit_link",
    title: "Edit a link",
    description:
      "Changes title, note or address of a link; what is left out stays. Needs the version that read_link or search_links gave: if somebody else was faster, nothing is changed.",
    scopes: WRITING,
    input: z.strictObject({
      id: Id,
      version: z.int().min(1),
      title: title.optional(),
      note: note.optional().describe("The whole note, without its line of tags."),
      url: webUrl.optional(),
    }),
    async answer(call, { id, version, title, note, url }) {
      const now = database.clock.now();
      const fieldsOf = async (bookmark: Bookmark, sql: Sql) => {
        await refuseShared(sql, search, [id], now);
        if (bookmark.version !== version) throw changedSince("Link", id, bookmark.version);
        return mergeFields(bookmark, { title, description: note, url });
      };
      const { bookmark, undo } = await editRecorded(
        database,
        id,
        fieldsOf,
        authorOf(call.caller),
        now,
        (sql) => refuseShared(sql, search, [id], now),
      );
      return changed(call, `Link ${id} is changed.`, undo, { id, version: bookmark.version });
    },
  });

  const tagLinks = tool({
    name: "tag_links",
    title: "Tag links",
    description: "Adds tags to links, or removes tags from them; their other tags stay.",
    scopes: WRITING,
    input: z.strictObject({ ids: Ids, add: Tags.default([]), remove: Tags.default([]) }),
    async answer(call, { ids, add, remove }) {
      const removed = new Set(remove.map(tagKey));
      const one = ids.length === 1 ? await findBookmark(database.read, ids[0] ?? 0) : undefined;
      const details = { ...(one && detailsOf(one)), matched: ids.length, add_tags: add, remove_tags: remove };
      const now = database.clock.now();
      const description = { kind: "bulk", details, ...authorOf(call.caller) } as const;
      const retag = (bookmark: Bookmark) =>
        retaggedDescription(bookmark, (tags) => [...tags.filter((tag) => !removed.has(tagKey(tag))), ...add]);
      const {
        missing,
        changed: count,
        undo,
      } = await database.write(async (sql) => {
        await holdBookmarks(sql, ids);
        const found = await findBookmarks(sql, ids);
        const missing = [...new Set(ids)].filter((id) => !found.has(id));
        await refuseShared(sql, search, ids, now);
        const done = await changeIn(sql, ids, description, retag, now);
        await refuseShared(sql, search, ids, now);
        return { ...done, missing };
      });
      const data = { changed: count, not_found: missing };
      const answer = changed(call, linksChanged(count, ids), undo, data);
      return missing.length === 0
        ? answer
        : { ...answer, message: `${answer.message} Not found: ${missing.join(", ")}.` };
    },
  });

  const archiveLinks = tool({
    name: "archive_links",
    title: "Archive links",
    description: "Puts links away into the archive, or takes them out of it. They stay in the library.",
    scopes: WRITING,
    input: z.strictObject({
      ids: Ids,
      archived: z.boolean().default(true).describe("false takes them out of the archive."),
    }),
    async answer(call, { ids, archived }) {
      const by = authorOf(call.caller);
      const now = database.clock.now();
      const { changed: count, undo } = await changeStatesOfMany(
        database,
        ids,
        { archived },
        by,
        now,
        async (sql, batch) => {
          await holdBookmarks(sql, batch);
          await refuseShared(sql, search, batch, now, !archived);
        },
      );
      return changed(call, linksChanged(count, ids), undo, { changed: count });
    },
  });

  return [searchLinks, readLink, addLink, editLink, tagLinks, archiveLinks];
}

function linksChanged(count: number, ids: readonly number[]): string {
  return `Links changed: ${count} of ${ids.length}.`;
}

/** 412 for a record that is not as the agent has read it. */
export function changedSince(noun: string, id: number, version: number): Refusal {
  return new Refusal(
    "precondition_failed",
    `${noun} ${id} was changed since; it has version ${version} now. Read it again.`,
  );
}

/** @param note the description without its tags, or a part of it */
function toLink(bookmark: Bookmark, note: string, sentence?: string) {
  const { id, version, url, title, description, createdAt, unread, archived } = bookmark;
  return {
    ...{ id, version, added: createdAt.toISOString(), unread, archived },
    quoted: {
      ...{ source: url, title, note, tags: tagsOf(description) },
      ...(sentence !== undefined && { sentence_in_copy: sentence }),
    },
  };
}
