import type { Instant, Sql } from "../database/database.ts";
import { fragment } from "../database/fragment.ts";
import type { StoredBytes } from "../media/media-store.ts";
import type { ObjectStore } from "../media/object-store.ts";
import { type Copy, type CopyOrigin, type CopySummary, ORIGINAL, readByDefault } from "./copy.ts";
import { unpacked } from "./copy-blobs.ts";
import { putBack } from "./data-urls.ts";
import { ExtractionError } from "./extraction/extraction-error.ts";
import { EXTRACTOR_VERSION } from "./extraction/extractor-version.ts";
import { sanitizedAgain } from "./extraction/sanitize-again.ts";

/** A row of `copies` without its text. */
interface CopyRow {
  readonly id: number;
  readonly bookmark_id: number;
  readonly taken_at: Instant;
  readonly origin: CopyOrigin;
  readonly url: string;
  readonly title: string;
  readonly byline: string | null;
  readonly site: string | null;
  readonly language: string | null;
  readonly direction: "ltr" | "rtl" | null;
  readonly published_at: Instant | null;
  readonly words: number;
  readonly is_article: boolean | number;
  readonly extractor: number;
  readonly size: number;
}

const COLUMNS = fragment`id, bookmark_id, taken_at, origin, url, title, byline, site, language, direction, published_at,
  words, is_article, extractor, size`;

/** A part of a copy as it is kept, but for its bytes. */
export interface PartInfo {
  readonly name: string;
  readonly sha256: string;
  /** The media type. */
  readonly type: string;
  /** Of a picture, in pixels. */
  readonly width: number | null;
  readonly height: number | null;
}

/** A part of a copy. */
export interface CopyPart extends PartInfo {
  readonly bytes: Uint8Array;
}

/** Reads copies. */
export class CopyStore {
  readonly #objects: Pick<ObjectStore, "get"> | undefined;

  /** @param objects the store of MEDIA, if there is one */
  constructor(objects: Pick<ObjectStore, "get"> | undefined) {
    this.#objects = objects;
  }

  /** The copies of a bookmark. */
  async newestFirst(sql: Sql, bookmarkId: number | bigint): Promise<Copy[]> {
    if (typeof bookmarkId === "bigint") return [];
    const rows = await sql<CopyRow>`
      select ${COLUMNS} from copies where bookmark_id = ${bookmarkId} order by taken_at desc, id desc`;
    return rows.map(fromRow);
  }

  async find(sql: Sql, bookmarkId: number | bigint, copyId: number | bigint): Promise<Copy | undefined> {
    if (typeof bookmarkId === "bigint" || typeof copyId === "bigint") return undefined;
    const [row] = await sql<CopyRow>`
      select ${COLUMNS} from copies where id = ${copyId} and bookmark_id = ${bookmarkId}`;
    return row && fromRow(row);
  }

  /** The copy that is read: the chosen one, or {@link readByDefault}. */
  async read(sql: Sql, bookmarkId: number | bigint): Promise<Copy | undefined> {
    const copies = await this.newestFirst(sql, bookmarkId);
    if (copies.length === 0) return undefined;
    const [chosen] = await sql<{ copy_id: number | null }>`
      select copy_id from reading where bookmark_id = ${Number(bookmarkId)}`;
    return copies.find(({ id }) => id === Number(chosen?.copy_id)) ?? readByDefault(copies);
  }

  /** The newest copies of bookmarks; those without one are absent. */
  async summaries(sql: Sql, bookmarkIds: readonly number[]): Promise<Map<number, CopySummary>> {
    if (bookmarkIds.length === 0) return new Map();
    const rows = await sql<Pick<CopyRow, "id" | "bookmark_id" | "taken_at" | "title" | "words" | "origin">>`
      select id, bookmark_id, taken_at, title, words, origin from copies
      where bookmark_id in ${bookmarkIds} order by taken_at, id`;
    // The last of each bookmark stays.
    return new Map(
      rows.map(({ id, bookmark_id, taken_at, title, words, origin }) => [
        Number(bookmark_id),
        { id: Number(id), takenAt: new Date(taken_at), title, words: Number(words), origin },
      ]),
    );
  }

  /** The media types of the originals of copies; a copy from the export of another program has none. */
  async originalTypes(sql: Sql, copyIds: readonly number[]): Promise<Map<number, string>> {
    if (copyIds.length === 0) return new Map();
    const rows = await sql<{ copy_id: number; type: string }>`
      select copy_id, type from copy_parts where copy_id in ${copyIds} and name = ${ORIGINAL}`;
    return new Map(rows.map(({ copy_id, type }) => [Number(copy_id), type]));
  }

  /**
   * The sanitized HTML of a copy; empty where nothing could be read. Its pictures are `<img src="picture-1">`. One of an earlier
   * sanitizer is sanitized again, so that a mended one reaches all copies that are shown at once.
   */
  async html(sql: Sql, copyId: number): Promise<string> {
    const [row] = await sql<{ text: Uint8Array; extractor: number }>`
      select text, extractor from copies where id = ${copyId}`;
    if (row === undefined) return "";
    const html = (await Bun.zstdDecompress(row.text)).toString();
    if (Number(row.extractor) >= EXTRACTOR_VERSION) return html;
    try {
      return sanitizedAgain(html);
    } catch (error) {
      if (error instanceof ExtractionError) return "";
      throw error;
    }
  }

  /** The pictures of a copy that are kept. */
  async pictures(sql: Sql, copyId: number): Promise<PartInfo[]> {
    const rows = await sql<PartInfo>`
      select name, sha256, type, width, height from copy_parts
      where copy_id = ${copyId} and width is not null order by name`;
    return rows.map(partFrom);
  }

  async partInfo(sql: Sql, copyId: number, name: string): Promise<PartInfo | undefined> {
    const [row] = await sql<PartInfo>`
      select name, sha256, type, width, height from copy_parts where copy_id = ${copyId} and name = ${name}`;
    return row && partFrom(row);
  }

  /** A part with its bytes; the original is as it was sent. @throws Refusal `unavailable` when the store of MEDIA is away */
  async part(sql: Sql, copyId: number, name: string): Promise<CopyPart | undefined> {
    const [row] = await sql<PartInfo & StoredBytes>`
      select name, type, width, height, p.sha256, bytes, object
      from copy_parts p join copy_blobs b on b.sha256 = p.sha256 where copy_id = ${copyId} and name = ${name}`;
    if (row === undefined) return undefined;
    const bytes = await this.bytesOf(row);
    if (name !== ORIGINAL) return { ...partFrom(row), bytes };
    const rows = await sql<StoredBytes & { position: number }>`
      select position, bytes, object from copy_parts p join copy_blobs b on b.sha256 = p.sha256
      where copy_id = ${copyId} and position is not null order by position`;
    const taken = [];
    for (const one of rows) taken.push({ position: Number(one.position), bytes: await this.bytesOf(one) });
    return { ...partFrom(row), bytes: putBack(bytes, taken) };
  }

  /** The bytes of a blob. @throws Refusal `unavailable` when the store of MEDIA is away */
  bytesOf(stored: StoredBytes): Promise<Uint8Array> {
    return unpacked(stored, this.#objects);
  }
}

function partFrom({ name, sha256, type, width, height }: PartInfo): PartInfo {
  const number = (value: number | null) => (value === null ? null : Number(value));
  return { name, sha256, type, width: number(width), height: number(height) };
}

function fromRow(row: CopyRow): Copy {
  return {
    id: Number(row.id),
    bookmarkId: Number(row.bookmark_id),
    takenAt: new Date(row.taken_at),
    origin: row.origin,
    url: row.url,
    title: row.title,
    byline: row.byline,
    site: row.site,
    language: row.language,
    direction: row.direction,
    publishedAt: row.published_at === null ? null : new Date(row.published_at),
    words: Number(row.words),
    isArticle: Boolean(row.is_article),
    extractor: Math.max(Number(row.extractor), EXTRACTOR_VERSION),
    size: Number(row.size),
  };
}
