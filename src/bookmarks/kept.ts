import { z } from "zod";
import { pages } from "../batches.ts";
import type { Instant, Sql } from "../database/database.ts";
import type { ImportRun, StagedOfKind } from "../kept/import-run.ts";
import { kept, LONG_AT_ONCE, type RecordCount, text as textOf, textOrNull } from "../kept/kept.ts";
import { instant, optionalUsername, recordVersion } from "../kept/record-fields.ts";
import { type RecordResult, type StagedRecord, thereAlready } from "../kept/staged-record.ts";
import { asIssue, text } from "../text.ts";
import { parseWebUrl, TITLE_MAX } from "./bookmark.ts";
import { hasAnyState } from "./bookmark-states.ts";
import { changeBookmarks } from "./bookmark-writer.ts";
import { findBookmarksByUrl, hasBookmarks } from "./bookmarks-by-url.ts";
import { foldersOf } from "./export/export-bookmarks.ts";
import type { WholeBookmark } from "./whole-bookmark.ts";

const webUrl = z.string().transform((input, context) => {
  const parsed = parseWebUrl(input);
  if ("href" in parsed) return parsed.href;
  context.issues.push(asIssue(parsed.error, input));
  return z.NEVER;
});

const shape = z.object({
  title: text({ max: TITLE_MAX }),
  url: webUrl,
  description: text().default(""),
  created_at: instant,
  updated_at: instant,
  created_by: optionalUsername,
  version: recordVersion.default(1),
  unread: z.boolean().default(false),
  archived: z.boolean().default(false),
  shared: z.boolean().default(false),
  states_updated_at: instant.nullable().default(null),
  folders: z
    .array(text({ max: 1_000 }))
    .max(100)
    .default([]),
});
type BookmarkRecord = z.output<typeof shape>;

/** The number of URLs looked up at a time: each lookup reads the whole collection. */
const URLS_AT_ONCE = 20_000;

const FIRST = new Date(0);
const LAST = new Date("9999-12-31T23:59:59.999Z");

/** Bookmarks. The undo of an import of bookmarks, which may have changed some, takes back those of an archive, too. */
export const keptBookmarks = kept({
  kind: "bookmark",
  names: ["bookmark", "bookmarks"],
  archive: {
    file: "bookmarks.jsonl",
    shape,
    title: "title",
    isCounted: true,
    table: "bookmarks",
    records,
    bringIn,
  },
  check: async (sql) => [
    [
      "bookmarks with an id or version below 1, or a date beyond the years 1970 to 9999",
      await sql<RecordCount>`select count(*) as n, min(id) as example from bookmarks where id < 1 or version < 1
        or created_at < ${FIRST} or created_at > ${LAST} or updated_at < ${FIRST} or updated_at > ${LAST}`,
    ],
    [
      "bookmarks whose URL is not http or https",
      await sql<RecordCount>`select count(*) as n, min(id) as example from bookmarks
        where url not like 'http://_%' and url not like 'https://_%'`,
    ],
  ],
});

interface Row {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  readonly description: string;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly version: number;
  readonly username: string | null;
  readonly unread: boolean | number;
  readonly archived: boolean | number;
  readonly shared: boolean | number;
  readonly states_updated_at: Instant | null;
}

async function* records(sql: Sql) {
  const after = (last?: Row) => sql<Row>`
    select bookmarks.id, title, url, description, bookmarks.created_at, bookmarks.updated_at, version, username,
      unread, archived, shared, states_updated_at
    from bookmarks left join accounts on accounts.id = created_by
    where bookmarks.id > ${Number(last?.id ?? 0)} order by bookmarks.id limit ${LONG_AT_ONCE}`;
  for await (const rows of pages(after)) {
    const folders = await foldersOf(
      sql,
      rows.map(({ id }) => Number(id)),
    );
    for (const row of rows) {
      const id = Number(row.id);
      yield {
        ...{ id, title: row.title, url: row.url, description: row.description },
        ...{ created_at: textOf(row.created_at), updated_at: textOf(row.updated_at) },
        ...{ created_by: row.username, version: Number(row.version) },
        ...{
          unread: Boolean(row.unread),
          archived: Boolean(row.archived),
          shared: Boolean(row.shared),
        },
        ...{ states_updated_at: textOrNull(row.states_updated_at), folders: folders.get(id) ?? [] },
      };
    }
  }
}

/** Imports the bookmarks whose URLs did not exist before the import. */
async function bringIn(run: ImportRun, bookmarks: StagedOfKind<BookmarkRecord>): Promise<void> {
  const { references } = run;
  const ids = await run.ids("bookmarks");
  const isEmpty = !(await hasBookmarks(run.sql));
  const haveParts = run.hasPartsOf("bookmark");
  await changeBookmarks(run.sql, run.now, async (writer) => {
    if (!isEmpty) await findKnown(run, bookmarks);
    await bookmarks.each(async (batch) => {
      await ids.prepare(batch.length);
      const added: WholeBookmark[] = [];
      const results = batch.map((staged): RecordResult => {
        const { position, ref, record, wantedId } = staged;
        const there = isEmpty ? undefined : references.resolve("bookmark", record.url)?.id;
        const id = there ?? ids.take(wantedId);
        if (haveParts && ref !== null)
          references.bind("bookmark", ref, there == null && run.isDry ? null : id, there == null);
        if (there != null)
          return thereAlready(position, `Bookmark ${there} has this URL already.`, { id: there });
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
async function findKnown(run: ImportRun, bookmarks: StagedOfKind<BookmarkRecord>): Promise<void> {
  let urls = new Set<string>();
  const look = async () => {
    if (urls.size > 0)
      for (const [url, { id }] of await findBookmarksByUrl(run.sql, [...urls]))
        run.references.bind("bookmark", url, id, false);
    urls = new Set();
  };
  for (const batch of bookmarks.batches()) {
    for (const { record } of batch) urls.add(record.url);
    if (urls.size >= URLS_AT_ONCE) await look();
  }
  await look();
}

function placedBookmark(run: ImportRun, { record }: StagedRecord<BookmarkRecord>, id: number): WholeBookmark {
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
