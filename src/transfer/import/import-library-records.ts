import { changeBookmarks } from "../../bookmarks/bookmark-writer.ts";
import type { WholeBookmark } from "../../bookmarks/whole-bookmark.ts";
import { fragment, joined } from "../../database/fragment.ts";
import { findAllMedia, insertMedia } from "../../media/media-store.ts";
import { hasAnyState } from "../../records/bookmark-members.ts";
import type { RecordOf } from "../../records/record.ts";
import { tagKey } from "../../tags/tag-name.ts";
import { saveCustomCss } from "../../web/custom-css/custom-css.ts";
import { saveSiteSetting } from "../../web/site/site-store.ts";
import { BATCH, type ImportRun } from "./import-run.ts";
import { findBookmarksByUrl, hasBookmarks } from "./import-store.ts";
import { abbreviatedValue, isSiteSetting, STYLE_SHEET, settingOf, storedName } from "./setting-values.ts";
import { type RecordResult, type StagedRecord, thereAlready } from "./staged-record.ts";

/** The number of URLs looked up at a time: each lookup reads the whole collection. */
const URLS_AT_ONCE = 20_000;

/**
 * Imports the settings of the site that have no value here. Those that decide who may see or write something are only
 * restored by the operator, into an empty database.
 */
export async function importSettingRecords(run: ImportRun): Promise<void> {
  await run.each("setting", async (batch) => {
    const rows = await run.sql<{ name: string }>`select name from site_settings`;
    const known = new Set(rows.map(({ name }) => name));
    const mayOpen = run.importer === "operator" && (await isUnused(run));
    const results: RecordResult[] = [];
    for (const { position, record } of batch) {
      const { name, value } = record;
      if (!isSiteSetting(name, value)) {
        results.push({
          position,
          outcome: "refused",
          reason: "unknown_value",
          detail: "Not a setting of this version.",
        });
      } else if (settingOf(name)?.decidesAccess && !mayOpen) {
        results.push({
          position,
          outcome: "skipped",
          reason: "not_from_file",
          detail: `Left out (${abbreviatedValue(value)}): a file does not decide who may see or write something. Choose it in the settings.`,
          key: name,
        });
      } else if (known.has(storedName(name))) {
        results.push(thereAlready(position, "This setting already has a value.", { key: name }));
      } else {
        known.add(storedName(name));
        const updatedAt = new Date(record.updated_at);
        if (!run.isDry) {
          if (name === STYLE_SHEET) await saveCustomCss(run.sql, String(value), updatedAt);
          else await saveSiteSetting(run.sql, name, value, updatedAt);
        }
        results.push({
          ...{ position, outcome: "added", key: name, version: updatedAt.getTime() },
          detail: `Value: ${abbreviatedValue(value)}`,
        });
      }
    }
    return results;
  });
}

/** Whether there are neither bookmarks nor posts, as on a server that is being restored. */
async function isUnused({ sql }: ImportRun): Promise<boolean> {
  return !(await hasBookmarks(sql)) && (await sql`select 1 from posts limit 1`).length === 0;
}

/** Imports the ids of tags for clients of linkding. */
export async function importTagRecords(run: ImportRun): Promise<void> {
  const ids = await run.ids("tags");
  await run.each("tag", async (batch) => {
    await ids.prepare(batch.length);
    const keys = batch.map(({ record }) => fragment`key = ${tagKey(record.name)}`);
    const rows = await run.sql<{ id: number; key: string }>`
      select id, key from tags where ${joined(keys, fragment` or `)}`;
    const known = new Set(rows.map(({ key }) => key));
    const results: RecordResult[] = [];
    for (const { position, record, wantedId } of batch) {
      const key = tagKey(record.name);
      if (known.has(key)) {
        results.push(thereAlready(position, "It already exists.", { key }));
        continue;
      }
      known.add(key);
      const id = ids.take(wantedId);
      if (!run.isDry)
        await run.sql`
          insert into tags (id, key, name, created_at) values (${id}, ${key}, ${record.name}, ${new Date(record.created_at)})`;
      results.push({ position, outcome: "added", id: run.isDry ? null : id });
    }
    return results;
  });
}

/** Imports images, without duplicates. */
export async function importImageRecords(run: ImportRun): Promise<void> {
  await run.each(
    "image",
    async (batch) => {
      const known = new Set(
        (
          await findAllMedia(
            run.sql,
            batch.map(({ record }) => record.sha),
          )
        ).map(({ sha }) => sha),
      );
      const results: RecordResult[] = [];
      for (const { position, record } of batch) {
        const { sha } = record;
        const isThere = known.has(sha);
        const createdBy = isThere ? null : run.ownerOf(record.created_by);
        if (!isThere && !run.isDry) {
          const createdAt = new Date(record.created_at);
          await insertMedia(
            run.sql,
            { media: mediaOf(run, record), forms: run.staged.forms(sha) },
            createdBy ?? undefined,
            createdAt,
          );
        }
        known.add(sha);
        results.push(
          isThere
            ? thereAlready(position, "The same image already exists.", { key: sha })
            : { position, outcome: "added", key: sha },
        );
      }
      return results;
    },
    10,
  );
}

function mediaOf(run: ImportRun, { sha, type, width, height }: RecordOf<"image">) {
  const size = run.staged.forms(sha).at(-1)?.size ?? 0;
  return { sha, type, width, height, size };
}

/** Imports the bookmarks whose URLs did not exist before the import. */
export async function importBookmarkRecords(run: ImportRun): Promise<void> {
  const ids = await run.ids("bookmarks");
  const isEmpty = !(await hasBookmarks(run.sql));
  await changeBookmarks(run.sql, run.now, async (writer) => {
    if (!isEmpty) await findKnown(run);
    await run.each("bookmark", async (batch) => {
      await ids.prepare(batch.length);
      const added: WholeBookmark[] = [];
      const results = batch.map((staged): RecordResult => {
        const { position, record, wantedId } = staged;
        const there = isEmpty ? undefined : run.staged.references.resolve("bookmark", record.url)?.id;
        if (there != null)
          return thereAlready(position, `Bookmark ${there} has this URL already.`, { id: there });
        const id = ids.take(wantedId);
        added.push(placedBookmark(run, staged, id));
        return { position, outcome: "added", id: run.isDry ? null : id, version: record.version };
      });
      // The collection's version must grow by at least the versions of its bookmarks.
      const versions = added.reduce((sum, { version }) => sum + version, 0);
      if (!run.isDry) await writer.placeMany(added, versions);
      return results;
    });
  });
}

/** Finds the existing bookmarks whose URLs the file has, too. */
async function findKnown(run: ImportRun): Promise<void> {
  let urls = new Set<string>();
  const look = async () => {
    if (urls.size > 0)
      for (const [url, { id }] of await findBookmarksByUrl(run.sql, [...urls]))
        run.staged.references.bind("bookmark", url, id, false);
    urls = new Set();
  };
  for (const batch of run.staged.batches("bookmark", BATCH)) {
    for (const { record } of batch) urls.add(record.url);
    if (urls.size >= URLS_AT_ONCE) await look();
  }
  await look();
}

function placedBookmark(run: ImportRun, { record }: StagedRecord<"bookmark">, id: number): WholeBookmark {
  const { title, url, description, version, unread, archived, shared, states_updated_at } = record;
  const states = { unread, archived, shared };
  const changedAt = states_updated_at ?? (hasAnyState(states) ? record.updated_at : null);
  return {
    ...{ id, title, url, description, version, states },
    createdAt: new Date(record.created_at),
    updatedAt: new Date(record.updated_at),
    createdBy: run.ownerOf(record.created_by),
    statesUpdatedAt: changedAt === null ? null : new Date(changedAt),
    notBefore: null,
  };
}
