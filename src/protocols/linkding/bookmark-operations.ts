import { z } from "zod";
import {
  type BookmarkStates,
  changeStates,
  NO_STATES,
  storeStates,
} from "../../bookmarks/bookmark-states.ts";
import { writeBookmarks } from "../../bookmarks/bookmark-writer.ts";
import type { PageReader } from "../../bookmarks/capture/page-reader.ts";
import { parseWebUrl } from "../../bookmarks/web-url.ts";
import { untilStored } from "../../database/compare-and-set.ts";
import type { Database, Sql } from "../../database/database.ts";
import { invalid, notFound } from "../../errors.ts";
import type { Access } from "../../http/access.ts";
import { type Answer, noContent, ok } from "../../http/answer.ts";
import type { Call } from "../../http/endpoint.ts";
import { PathId } from "../../http/parameters.ts";
import { listAnswer } from "./bookmark-list.ts";
import {
  changedFields,
  changedStates,
  LinkdingChange,
  LinkdingCreate,
  type StoredBookmark,
  toLinkding,
} from "./linkding-bookmark.ts";
import { findByUrl, findStored } from "./linkding-store.ts";
import { linkdingOperation } from "./operation.ts";

const params = z.object({ id: PathId });

export interface LinkdingParts {
  readonly database: Database;
  /** For accounts only, whoever else may use the bookmarks. */
  readonly reading: Access;
  readonly writing: Access;
  /** Undefined when pages are not fetched. */
  readonly readPage: PageReader | undefined;
}

/** Bookmarks as linkding's API has them. */
export function bookmarkOperations({ database, reading, writing, readPage }: LinkdingParts) {
  const list = (states: Partial<BookmarkStates>) =>
    linkdingOperation({ access: reading }, (call) => listAnswer(database, call, states));

  const read = linkdingOperation({ access: reading, params }, async ({ params }) =>
    ok(toLinkding(await existing(database.read, params.id))),
  );

  const check = linkdingOperation({ access: reading }, async ({ search }) => {
    const asked = new URLSearchParams(search).get("url") ?? "";
    const parsed = parseWebUrl(asked);
    const url = "href" in parsed ? parsed.href : undefined;
    const bookmark = url === undefined ? undefined : await findByUrl(database.read, url);
    const page = url === undefined || bookmark ? undefined : await readPage?.(url);
    return ok({
      bookmark: bookmark ? toLinkding(bookmark) : null,
      // The browser extension compares this URL with the one that it asked for, letter by letter.
      metadata: {
        url: asked,
        title: page?.title || bookmark?.title || null,
        description: page?.description || null,
        preview_image: null,
      },
      auto_tags: [],
    });
  });

  const create = linkdingOperation({ access: writing, body: LinkdingCreate }, (call) => save(database, call));

  const change = linkdingOperation({ access: writing, params, body: LinkdingChange }, async (call) => {
    const { params, body } = call;
    const now = new Date();
    const changed = await writeBookmarks(database, now, (writer, sql) =>
      untilStored(async () => {
        const before = await existing(sql, params.id);
        if (body.url !== undefined && body.url !== before.url) await refuseTaken(sql, body.url);
        const fields = changedFields(before, body);
        const isSame =
          fields.title === before.title &&
          fields.url === before.url &&
          fields.description === before.description;
        const version = isSame ? before.version : await writer.update(before, fields);
        if (version === undefined) return undefined;
        const states = await setStates(sql, before, body, now);
        return { ...before, ...fields, version, states, modifiedAt: now };
      }),
    );
    return ok(toLinkding(changed));
  });

  const remove = linkdingOperation({ access: writing, params }, ({ params }) =>
    writeBookmarks(database, new Date(), (writer, sql) =>
      untilStored(async () => {
        const bookmark = await existing(sql, params.id);
        return (await writer.delete(bookmark)) ? noContent() : undefined;
      }),
    ),
  );

  const setArchived = (archived: boolean) =>
    linkdingOperation({ access: writing, params }, async ({ params }) => {
      const { id } = await existing(database.read, params.id);
      await changeStates(database, [id], { archived }, new Date());
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

/** Saves a bookmark; one that is there with this URL is changed instead, and the answer is 201 all the same. */
async function save(
  database: Database,
  { body, caller, path }: Call<undefined, undefined, typeof LinkdingCreate>,
): Promise<Answer> {
  const now = new Date();
  const saved = await writeBookmarks(database, now, (writer, sql) =>
    untilStored(async (): Promise<StoredBookmark | undefined> => {
      const before = await findByUrl(sql, body.url);
      const fields = changedFields(before, body);
      if (before === undefined) {
        const { id, version } = await writer.insert(fields, caller.account?.id);
        const added = { ...fields, id, version, createdAt: now, modifiedAt: now, states: NO_STATES };
        return { ...added, states: await setStates(sql, added, body, now) };
      }
      const version = await writer.update(before, fields);
      if (version === undefined) return undefined;
      const states = await setStates(sql, before, body, now);
      return { ...before, ...fields, version, states, modifiedAt: now };
    }),
  );
  return { ...ok(toLinkding(saved)), status: 201, location: `${path}${saved.id}/` };
}

async function setStates(
  sql: Sql,
  { id, states: before }: Pick<StoredBookmark, "id" | "states">,
  change: LinkdingChange,
  now: Date,
): Promise<BookmarkStates> {
  const states = changedStates(before, change);
  const isSame =
    states.unread === before.unread && states.archived === before.archived && states.shared === before.shared;
  if (!isSame) await storeStates(sql, [{ id, states }], now);
  return states;
}

async function refuseTaken(sql: Sql, url: string): Promise<void> {
  if ((await findByUrl(sql, url)) === undefined) return;
  throw invalid([{ pointer: "/url", code: "repeated", detail: "A bookmark with this URL already exists." }]);
}

async function existing(sql: Sql, id: number | bigint): Promise<StoredBookmark> {
  const bookmark = await findStored(sql, id);
  if (bookmark === undefined) throw notFound("Bookmark", id);
  return bookmark;
}
