import { z } from "zod";
import type { Bookmark } from "../../bookmarks/bookmark.ts";
import type { BookmarkParts } from "../../bookmarks/bookmark-parts.ts";
import { changeStates, storeStates } from "../../bookmarks/bookmark-states.ts";
import { findBookmark } from "../../bookmarks/bookmark-store.ts";
import { hasFields, insertBookmark, writeBookmarks } from "../../bookmarks/bookmark-writer.ts";
import { changeIn, removeBookmarks } from "../../bookmarks/bulk/change-many.ts";
import { mergeFields } from "../../bookmarks/merge-fields.ts";
import { findIdOfPage, findIdOfUrl } from "../../bookmarks/search/bookmark-of-url.ts";
import { retryOnConflict } from "../../database/compare-and-set.ts";
import type { Database, Sql } from "../../database/database.ts";
import { holdKey } from "../../database/hold-key.ts";
import { invalid, orNotFound } from "../../errors.ts";
import type { Call } from "../../http/endpoint.ts";
import { runOnce } from "../../http/idempotency.ts";
import { PathId } from "../../http/parameters.ts";
import { noContent, ok, type ResponseData } from "../../http/response-data.ts";
import type { BookmarkStates } from "../../records/bookmark-members.ts";
import { parseWebUrl } from "../../records/bookmark-members.ts";
import { pageKey } from "../../search/text/page-key.ts";
import { textOf } from "../../tags/description-tags.ts";
import { listResponse } from "./bookmark-list.ts";
import { LINKDING_BODIES } from "./form-bodies.ts";
import { LinkdingChange, LinkdingCreate, mergeStates, toLinkding, toSent } from "./linkding-bookmark.ts";
import { linkdingOperation } from "./operation.ts";

const params = z.object({ id: PathId });

/** The bookmark operations of linkding's API. */
export function bookmarkOperations(dependencies: BookmarkParts) {
  const { database, copies, readAccess, writeAccess, readPage } = dependencies;
  const list = (states: Partial<BookmarkStates>) =>
    linkdingOperation({ access: readAccess }, (call) => listResponse(dependencies, call, states));

  const read = linkdingOperation({ access: readAccess, params }, async ({ params }) =>
    ok(toLinkding(await existing(database.read, params.id))),
  );

  const check = linkdingOperation({ access: readAccess, sendsRequests: true }, async ({ search }) => {
    const asked = new URLSearchParams(search).get("url") ?? "";
    const parsed = parseWebUrl(asked);
    const url = "href" in parsed ? parsed.href : undefined;
    const bookmark = url === undefined ? undefined : await findByPage(database, url);
    const page = url === undefined || bookmark ? undefined : await readPage?.(url);
    return ok({
      bookmark: bookmark ? toLinkding(bookmark) : null,
      // The browser extension compares this URL with the requested one, character by character.
      metadata: {
        url: asked,
        title: page?.title || bookmark?.title || null,
        description: page?.description || null,
        preview_image: null,
      },
      auto_tags: [],
    });
  });

  const create = linkdingOperation(
    {
      access: writeAccess,
      reads: readAccess,
      body: LinkdingCreate,
      takes: LINKDING_BODIES,
      headers: ["Idempotency-Key"],
    },
    (call) => save(dependencies, call),
  );

  const ofOne = { access: writeAccess, reads: readAccess, params };
  const change = linkdingOperation(
    { ...ofOne, body: LinkdingChange, takes: LINKDING_BODIES },
    async (call) => {
      const { params, body, mayRead } = call;
      const now = database.clock.now();
      const changed = await writeBookmarks(database, now, async (writer, sql) => {
        if (body.url !== undefined) await refuseTaken(sql, body.url, params.id);
        return retryOnConflict(async () => {
          const before = await existing(sql, params.id);
          const fields = mergeFields(before, body);
          const version = hasFields(before, fields) ? before.version : await writer.update(before, fields);
          if (version === undefined) return undefined;
          const states = await setStates(sql, before, body, now);
          return { ...before, ...fields, ...states, version, updatedAt: now, statesUpdatedAt: now };
        });
      });
      return ok(mayRead ? toLinkding(changed) : toSent(changed, body));
    },
  );

  const remove = linkdingOperation({ access: writeAccess, params }, async ({ params, caller }) => {
    const bookmark = await existing(database.read, params.id);
    const now = database.clock.now();
    // Clients call this "delete permanently": the bookmark can be restored here, its copies are gone.
    await removeBookmarks(database, [bookmark.id], caller.account?.id, now, async (sql) => {
      await copies.forget(sql, [bookmark], now);
    });
    return noContent();
  });

  const setArchived = (archived: boolean) =>
    linkdingOperation({ access: writeAccess, params }, async ({ params }) => {
      const { id } = await existing(database.read, params.id);
      await changeStates(database, [id], { archived }, database.clock.now());
      return noContent();
    });

  return {
    list: list({ archived: false }),
    archived: list({ archived: true }),
    shared: list({ shared: true }),
    read,
    check,
    create,
    change,
    remove,
    archive: setArchived(true),
    unarchive: setArchived(false),
  };
}

/**
 * Saves a bookmark. If one of this page exists, it is changed instead, also with 201; that change can be undone for
 * 30 days.
 */
async function save(
  dependencies: BookmarkParts,
  call: Call<undefined, undefined, typeof LinkdingCreate>,
): Promise<ResponseData> {
  const { body, mayRead, path, search } = call;
  let added: Bookmark | undefined;
  const response = await runOnce(dependencies.database, call, async (sql) => {
    const { id, isNew } = await insertOrChange(sql, call, dependencies.database.clock.now());
    if (isNew) await dependencies.copies.onAdded(sql, id, call.caller.account?.id);
    const saved = await existing(sql, id);
    added = isNew ? saved : undefined;
    return { ...ok(toLinkding(saved)), status: 201, location: `${path}${id}/` };
  });
  if (added?.title === "" && !new URLSearchParams(search).has("disable_scraping"))
    describeByPage(dependencies, added).catch(() => {
      // It only stays without a title.
    });
  // Also of a response that was stored for a token which may read.
  const id = Number(response.location?.split("/").at(-2));
  return mayRead ? response : { ...response, body: JSON.stringify(toSent({ id }, body)) };
}

/** Gives a bookmark that was saved by its address alone the title and description of its page, unless it has a title by now. */
export async function describeByPage(
  { database, readPage }: Pick<BookmarkParts, "database" | "readPage">,
  { id, url }: Pick<Bookmark, "id" | "url">,
): Promise<void> {
  const page = await readPage?.(url);
  if (page === undefined || page.title === "") return;
  await writeBookmarks(database, database.clock.now(), (writer, sql) =>
    retryOnConflict(async () => {
      const before = await findBookmark(sql, id);
      if (before === undefined || before.title !== "" || before.url !== url) return true;
      const isBare = textOf(before.description) === "";
      const described = { title: page.title, ...(isBare && { description: page.description }) };
      return writer.update(before, mergeFields(before, described));
    }),
  );
}

/** Inserts the bookmark of a URL's page, or changes it if there is one. Simultaneous requests create only one. */
async function insertOrChange(
  sql: Sql,
  { body, caller, mayRead }: Call<undefined, undefined, typeof LinkdingCreate>,
  now: Date,
): Promise<{ readonly id: number; readonly isNew: boolean }> {
  const accountId = caller.account?.id;
  await holdKey(sql, pageKey(body.url));
  const there = await findIdOfPage(sql, body.url);
  if (there !== undefined) {
    const recorded = { details: { url: body.url }, accountId, evenIfNothing: !mayRead };
    // Another address of the page stays as it is.
    const change = { ...body, url: undefined };
    await changeIn(
      sql,
      [there],
      { kind: "update", ...recorded },
      (before) => mergeFields(before, change),
      now,
    );
    await setStates(sql, await existing(sql, there), body, now);
    return { id: there, isNew: false };
  }
  const { id } = await insertBookmark(sql, mergeFields(undefined, body), accountId, now, {
    createdAt: body.date_added ?? undefined,
    updatedAt: body.date_modified ?? undefined,
  });
  await setStates(sql, await existing(sql, id), body, now);
  return { id, isNew: true };
}

async function setStates(
  sql: Sql,
  before: Pick<Bookmark, "id" | keyof BookmarkStates>,
  change: LinkdingChange,
  now: Date,
): Promise<BookmarkStates> {
  const states = mergeStates(before, change);
  const isSame =
    states.unread === before.unread && states.archived === before.archived && states.shared === before.shared;
  if (!isSame) await storeStates(sql, [{ id: before.id, states }], now);
  return states;
}

async function refuseTaken(sql: Sql, url: string, id: number | bigint): Promise<void> {
  await holdKey(sql, pageKey(url));
  const other = await findIdOfUrl(sql, url);
  if (other === undefined || other === id) return;
  throw invalid([{ pointer: "/url", code: "repeated", detail: "A bookmark with this URL already exists." }]);
}

/** The bookmark of a page, as saving its URL finds it. @param url as serialized by the URL standard */
async function findByPage({ read }: Database, url: string): Promise<Bookmark | undefined> {
  const id = await findIdOfPage(read, url);
  return id === undefined ? undefined : findBookmark(read, id);
}

async function existing(sql: Sql, id: number | bigint): Promise<Bookmark> {
  return orNotFound(await findBookmark(sql, id), "Bookmark", id);
}
