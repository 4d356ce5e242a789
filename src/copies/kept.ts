import { z } from "zod";
import { countChange } from "../bookmarks/bookmark-store.ts";
import type { Instant, Sql } from "../database/database.ts";
import { fragment } from "../database/fragment.ts";
import { Refusal } from "../errors.ts";
import type { ImportRun, StagedForm, StagedOfKind } from "../kept/import-run.ts";
import { kept, type RecordCount } from "../kept/kept.ts";
import { type Lines, LONG_AT_ONCE, tableLines, text as textOf } from "../kept/lines.ts";
import { type RecordResult, thereAlready } from "../kept/staged-record.ts";
import { limits } from "../limits.ts";
import { acceptPicture } from "../media/accept-image.ts";
import { isBareImage } from "../media/bare-image.ts";
import { IMAGE_TYPES, type ImageType } from "../media/media.ts";
import { instant, optionalUsername } from "../records/record.ts";
import { asIssue, text } from "../text.ts";
import { COPY_ORIGINS, ORIGINAL, PICTURE_SIDE_MAX, PICTURES } from "./copy.ts";
import { lockCopies } from "./copy-blobs.ts";
import { copiesChanged, deleteCopiesById, purgeCopies } from "./copy-changes.ts";
import { CopyStore, type PartInfo } from "./copy-store.ts";
import { ExtractionError } from "./extraction/extraction-error.ts";
import { EXTRACTOR_VERSION } from "./extraction/extractor-version.ts";
import { sanitizedAgain } from "./extraction/sanitize-again.ts";
import { type AboutCopy, type Part, packedCopy, placeCopy, plainType } from "./keep-copy.ts";

/** The most bytes of a picture in an archive: encoded without loss, it has three for each pixel. */
const PICTURE_MAX = 3 * PICTURE_SIDE_MAX * PICTURE_SIDE_MAX;
/** The copies that are stored at a time, with their bytes. */
const STORED_AT_ONCE = 10;

const FORMATS: Readonly<Record<string, ImageType>> = { jpeg: "jpg", png: "png", webp: "webp" };

const count = z.int().min(0).max(1_000_000_000);

/** How far the copy is read. */
export const Reading = z.object({
  /** Whether it was chosen, and is not only the newest that counts. */
  chosen: z.boolean(),
  place: count,
  progress: z.int().min(0).max(100),
  begun_at: instant,
  updated_at: instant,
  finished: z.boolean(),
});

const shape = z.object({
  taken_at: instant,
  origin: z.enum(COPY_ORIGINS),
  url: text({ min: 1, max: 10_000 }).refine((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ""), {
    message: "Must be a URL with http or https.",
  }),
  title: text({ max: 200 }),
  byline: text({ max: 200 }).nullable().default(null),
  site: text({ max: 200 }).nullable().default(null),
  language: text({ max: 35 }).nullable().default(null),
  direction: z.enum(["ltr", "rtl"]).nullable().default(null),
  published_at: instant.nullable().default(null),
  words: count,
  is_article: z.boolean(),
  extractor: z.int().min(1).max(1_000_000),
  created_by: optionalUsername,
  html: z.string().transform((html, context) => {
    try {
      return sanitizedAgain(html.replaceAll("\0", "").toWellFormed());
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
      context.issues.push(asIssue({ code: "too_complex", detail: error.message }, html));
      return z.NEVER;
    }
  }),
  original: z
    .object({ path: z.string().regex(/^copies\/\d{1,16}\.(?:html|pdf|bin)$/), type: text({ max: 200 }) })
    .nullable()
    .default(null),
  pictures: z
    .array(
      z.object({
        name: z.string().regex(/^picture-\d{1,4}$/),
        path: z.string().regex(/^copies\/\d{1,16}-picture-\d{1,4}\.(?:jpg|png|webp)$/),
      }),
    )
    .max(PICTURES.count)
    .refine((pictures) => new Set(pictures.map(({ name }) => name)).size === pictures.length, {
      message: "Two pictures have the same name.",
    })
    .default([]),
  reading: Reading.nullable().default(null),
});
type CopyRecord = z.output<typeof shape>;
type Line = z.input<typeof shape> & { readonly id: number; readonly bookmark: number };

interface Row extends Omit<Line, "html" | "original" | "pictures" | "reading"> {
  readonly text: Uint8Array;
}

/** Copies, with how far they are read. */
export const keptCopies = kept({
  kind: "copy",
  names: ["copy of a page", "copies of pages"],
  purge: purgeCopies,
  archive: {
    file: "copies.jsonl",
    shape,
    title: "title",
    isCounted: true,
    of: "bookmark",
    table: "copies",
    lines: copyLines(),

    async files(sql, line, readObject) {
      const { id, original, pictures = [] } = line as Line;
      const store = new CopyStore({ get: readObject });
      const bytesOf = async (name: string) => {
        const part = await store.part(sql, id, name);
        if (part === undefined) throw new Error(`the copy ${id} has no ${name}`);
        return part.bytes;
      };
      return [
        ...(original ? [{ path: original.path, content: async () => asText(await bytesOf(ORIGINAL)) }] : []),
        ...pictures.map(({ name, path }) => ({ path, content: () => bytesOf(name) })),
      ];
    },

    filesOf: ({ original, pictures }) => [
      ...(original === null ? [] : [{ name: original.path, path: original.path, max: limits().copyBytes }]),
      ...pictures.map(({ path }) => ({ name: path, path, max: PICTURE_MAX })),
    ],

    bringIn,

    async takeBack(undo) {
      await undo.each(async (rows) => {
        const ids = rows.flatMap(({ id }) => id ?? []);
        undo.count(await deleteCopiesById(undo.sql, ids, undo.now));
        return [];
      });
    },
  },
  check: async (sql) => [
    [
      "parts of copies whose bytes are nowhere",
      await sql<RecordCount>`select count(*) as n, min(sha256) as example from copy_blobs
        where bytes is null and object is null`,
    ],
    [
      "bytes that no copy and no picture of a page has",
      await sql<RecordCount>`select count(*) as n, min(sha256) as example from copy_blobs
        where not exists (select 1 from copy_parts where copy_parts.sha256 = copy_blobs.sha256)
          and not exists (select 1 from page_pictures where page_pictures.sha256 = copy_blobs.sha256)`,
    ],
    [
      "pages that are read in a copy that is not there",
      await sql<RecordCount>`select count(*) as n, min(bookmark_id) as example from reading
        where copy_id is not null and not exists (select 1 from copies where copies.id = reading.copy_id)`,
    ],
  ],
});

function copyLines(): Lines<Line> {
  const rows = tableLines<Row>({
    columns: fragment`copies.id, bookmark_id as bookmark, taken_at, origin, copies.url, copies.title, byline, site, language,
      direction, published_at, words, is_article, extractor, username as created_by, text`,
    from: fragment`copies join bookmarks on bookmarks.id = bookmark_id
      left join accounts on accounts.id = copies.created_by`,
    key: [fragment`copies.id`, "id"],
    as: {
      id: Number,
      bookmark: Number,
      taken_at: textOf,
      published_at: textOf,
      words: Number,
      is_article: Boolean,
      extractor: Number,
    },
    atOnce: LONG_AT_ONCE,
    ids: "copies",
  });
  return {
    ...rows,
    keyOf: ({ id }) => [id],
    read: async (sql, after, upTo) =>
      Promise.all((await rows.read(sql, after, upTo)).map((row) => lineOf(sql, row))),
  };
}

async function lineOf(sql: Sql, { text: packed, ...row }: Row): Promise<Line> {
  const { id } = row;
  const parts = await sql<PartInfo>`
    select name, type, width from copy_parts where copy_id = ${id} and position is null order by name`;
  const original = parts.find(({ name }) => name === ORIGINAL);
  return {
    ...row,
    html: (await Bun.zstdDecompress(packed)).toString(),
    original: original ? { path: `copies/${id}.${endingOf(original.type)}`, type: original.type } : null,
    pictures: parts.flatMap(({ name, type, width }) =>
      width === null ? [] : [{ name, path: `copies/${id}-${name}.${pictureEnding(type)}` }],
    ),
    reading: await readingOf(sql, id, row.bookmark),
  };
}

interface ReadingRow {
  readonly copy_id: number | null;
  readonly place: number;
  readonly progress: number;
  readonly begun_at: Instant;
  readonly updated_at: Instant;
  readonly finished: boolean | number;
}

/** How far a bookmark's page is read, of the copy that was chosen, or of its newest one. */
async function readingOf(sql: Sql, id: number, bookmarkId: number): Promise<Line["reading"]> {
  const [row] = await sql<ReadingRow>`
    select copy_id, place, progress, begun_at, updated_at, finished from reading
    where bookmark_id = ${bookmarkId} and coalesce(copy_id, (
      select id from copies where bookmark_id = ${bookmarkId} order by taken_at desc, id desc limit 1)) = ${id}`;
  if (row === undefined) return null;
  return {
    chosen: row.copy_id !== null,
    ...{ place: Number(row.place), progress: Number(row.progress) },
    ...{ begun_at: textOf(row.begun_at), updated_at: textOf(row.updated_at) },
    finished: Boolean(row.finished),
  };
}

function endingOf(type: string): string {
  if (/html/.test(type)) return "html";
  return /^application\/pdf/.test(type) ? "pdf" : "bin";
}

function pictureEnding(type: string): string {
  return Object.entries(IMAGE_TYPES).find(([, known]) => known === type)?.[0] ?? "png";
}

/** Bytes as a text, which archives compress, if they are one of UTF-8. */
function asText(bytes: Uint8Array): string | Uint8Array {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes;
  }
}

/** Imports the copies that their bookmarks do not have yet. */
async function bringIn(run: ImportRun, copies: StagedOfKind<CopyRecord>): Promise<void> {
  const { sql } = run;
  const ids = await run.ids("copies");
  /** The copies of bookmarks, as far as they were looked up, by their dates and addresses. */
  const known = new Map<number, Set<string>>();
  let added = 0;
  await copies.each(async (batch) => {
    await ids.prepare(batch.length);
    const results: RecordResult[] = [];
    for (const { position, record, parent, wantedId } of batch) {
      const bookmark = parent === null ? undefined : run.references.resolve("bookmark", parent);
      if (bookmark === undefined) {
        const detail = "Its bookmark was not imported.";
        results.push({ position, outcome: "refused", reason: "no_bookmark", detail });
        continue;
      }
      const there = await copiesThere(sql, known, bookmark.id);
      const key = `${record.taken_at} ${record.url}`;
      if (there.has(key)) {
        results.push(thereAlready(position, "The bookmark has this copy already."));
        continue;
      }
      if (there.size >= limits().copiesPerBookmark) {
        const detail = `Its bookmark has ${limits().copiesPerBookmark} copies, which is as many as it takes.`;
        results.push({ position, outcome: "refused", reason: "too_many", detail });
        continue;
      }
      there.add(key);
      const id = ids.take(wantedId);
      if (!run.isDry && bookmark.id !== null) {
        await lockCopies(sql);
        await bringInCopy(run, id, bookmark.id, record);
        added++;
      }
      results.push({ position, outcome: "added", id: run.isDry ? null : id });
    }
    return results;
  }, STORED_AT_ONCE);
  if (added > 0) await countChange(sql, added, 0);
}

/** @param bookmarkId null for a bookmark that a dry run would add */
async function copiesThere(
  sql: Sql,
  known: Map<number, Set<string>>,
  bookmarkId: number | null,
): Promise<Set<string>> {
  if (bookmarkId === null) return new Set();
  const before = known.get(bookmarkId);
  if (before !== undefined) return before;
  const rows = await sql<{ taken_at: Instant; url: string }>`
    select taken_at, url from copies where bookmark_id = ${bookmarkId}`;
  const there = new Set(rows.map(({ taken_at, url }) => `${textOf(taken_at)} ${url}`));
  known.set(bookmarkId, there);
  return there;
}

async function bringInCopy(
  run: ImportRun,
  id: number,
  bookmarkId: number,
  record: CopyRecord,
): Promise<void> {
  const { html, original, pictures, reading, created_by, is_article, taken_at, published_at, ...same } =
    record;
  const bytesOf = (path: string) => bytesIn(run.forms(path));
  const kept: Part[] = [];
  for (const { name, path } of pictures) {
    const part = await pictureFrom(name, bytesOf(path));
    if (part !== undefined) kept.push(part);
  }
  const packed = await packedCopy(
    html,
    original === null ? undefined : { bytes: bytesOf(original.path), type: plainType(original.type) },
    kept,
  );
  const about: AboutCopy = {
    ...{ ...same, bookmarkId, isArticle: is_article, takenAt: new Date(taken_at) },
    publishedAt: published_at === null ? null : new Date(published_at),
    createdBy: run.ownerOf(created_by),
    // Of the sanitizer that has read the line, whatever the file says.
    extractor: EXTRACTOR_VERSION,
  };
  await placeCopy(run.sql, id, about, packed);
  if (reading !== null)
    await run.sql`
      insert into reading (bookmark_id, copy_id, place, progress, begun_at, updated_at, finished)
      values (${bookmarkId}, ${reading.chosen ? id : null}, ${reading.place}, ${reading.progress},
        ${new Date(reading.begun_at)}, ${new Date(reading.updated_at)}, ${reading.finished})
      on conflict (bookmark_id) do nothing`;
  await copiesChanged(run.sql, [bookmarkId]);
}

function bytesIn([form]: readonly StagedForm[]): Uint8Array {
  return form !== undefined && "bytes" in form ? form.bytes : new Uint8Array();
}

/** A picture as a server here has encoded it stays as it is; another one is encoded anew, or left out. */
async function pictureFrom(name: string, bytes: Uint8Array): Promise<Part | undefined> {
  try {
    const { format, width, height } = await new Bun.Image(bytes).metadata();
    const type = FORMATS[format];
    if (type !== undefined && Math.max(width, height) <= PICTURE_SIDE_MAX && isBareImage(bytes, type))
      return { name, type: IMAGE_TYPES[type], bytes, width, height };
    const picture = await acceptPicture(bytes, PICTURE_SIDE_MAX);
    return { ...picture, name, type: IMAGE_TYPES[picture.type] };
  } catch (error) {
    if (error instanceof Refusal || isUnreadable(error)) return undefined;
    throw error;
  }
}

function isUnreadable(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return error instanceof RangeError || (typeof code === "string" && code.startsWith("ERR_IMAGE_"));
}
