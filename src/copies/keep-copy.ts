import { createHash } from "node:crypto";
import { countChange } from "../bookmarks/bookmark-store.ts";
import { charsetOf, mediaTypeOf } from "../bookmarks/capture/media-type.ts";
import { contentDigest } from "../database/content-digest.ts";
import type { Database, Sql } from "../database/database.ts";
import { type Fragment, fragment, rowList } from "../database/fragment.ts";
import { insertOne } from "../database/ids/new-ids.ts";
import { notFound, Refusal } from "../errors.ts";
import { limits } from "../limits.ts";
import { acceptPicture } from "../media/accept-image.ts";
import { acceptPagePicture } from "../media/accept-page-picture.ts";
import { IMAGE_TYPES } from "../media/media.ts";
import type { StoredBytes } from "../media/media-store.ts";
import type { ObjectStore } from "../media/object-store.ts";
import { placeBytes } from "../media/place-images.ts";
import { type Copy, type CopyOrigin, ORIGINAL, PICTURE_SIDE_MAX, PICTURES, pictureName } from "./copy.ts";
import { lockCopies, storeBlob } from "./copy-blobs.ts";
import { copiesChanged } from "./copy-changes.ts";
import type { CopyRoom } from "./copy-room.ts";
import { CopyStore } from "./copy-store.ts";
import { takeOut } from "./data-urls.ts";
import { isDot } from "./extraction/best-picture.ts";
import type { ExtractedPage } from "./extraction/extract-page.ts";
import { ExtractionError } from "./extraction/extraction-error.ts";
import { EXTRACTOR_VERSION } from "./extraction/extractor-version.ts";
import { sanitizedAgain } from "./extraction/sanitize-again.ts";
import { heldBookmark } from "./held-bookmark.ts";
import { placed } from "./page-pictures/keep-page-picture.ts";
import { findKnown, type PlacedPicture, storePicture } from "./page-pictures/page-picture-store.ts";

/** A page to be kept. */
export interface PageToKeep {
  readonly origin: CopyOrigin;
  /** Where it was, after all redirects. */
  readonly url: string;
  /** Now when absent. */
  readonly takenAt?: Date | undefined;
  /** As it was sent, with its media type. A text from the export of another program has none. */
  readonly original?: { readonly bytes: Uint8Array; readonly type: string } | undefined;
  /** Undefined where nothing can be read, as in a PDF: then the original alone is kept. */
  readonly page?: ExtractedPage | undefined;
  /** The bytes of pictures that were fetched, by their numbers in the page, from 1. */
  readonly pictures?: ReadonlyMap<number, Uint8Array> | undefined;
}

export interface CopyKeeperDependencies {
  readonly database: Database;
  readonly objects: ObjectStore | undefined;
  readonly room: CopyRoom;
}

/** A part of a copy before it is stored. */
export interface Part {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly width?: number;
  readonly height?: number;
  readonly position?: number;
}

/** A part whose bytes are compressed. */
interface PackedPart extends Part {
  /** Of the bytes before. */
  readonly sha256: string;
}

/** Stores copies: the only way in. */
export class CopyKeeper {
  readonly #dependencies: CopyKeeperDependencies;
  readonly #store: CopyStore;

  constructor(dependencies: CopyKeeperDependencies) {
    this.#dependencies = dependencies;
    this.#store = new CopyStore(dependencies.objects);
  }

  /**
   * Keeps a page as a copy of a bookmark: all of it, or nothing. The bookmark is never touched.
   *
   * @param accountId who asked for it
   * @param onStored called in the transaction that stores it
   * @throws Refusal of {@link prepare}
   */
  async keep(
    bookmarkId: number,
    kept: PageToKeep,
    accountId: number | undefined,
    onStored: (sql: Sql, copy: Copy) => Promise<void> = async () => {},
  ): Promise<Copy> {
    const store = await this.prepare(bookmarkId, kept, accountId);
    return this.#dependencies.database.write(async (sql) => {
      const copy = await store(sql);
      await onStored(sql, copy);
      return copy;
    });
  }

  /**
   * Does what takes long before a copy is stored.
   *
   * @returns stores it, within a transaction of the caller
   * @throws Refusal `not_found`, `too_large`, `storage_full`, `conflict` when the bookmark has as many copies as it takes,
   *   `unavailable` when the store of MEDIA is away; so does what is returned
   */
  async prepare(
    bookmarkId: number,
    kept: PageToKeep,
    accountId: number | undefined,
  ): Promise<(sql: Sql) => Promise<Copy>> {
    const { database } = this.#dependencies;
    // Before pictures are decoded, and before bytes are sent to the store of MEDIA; the transaction checks again.
    await this.check(bookmarkId, kept.original?.bytes.length ?? 0);
    const pictures = await acceptedPictures(kept);
    const packed = await packedCopy(kept.page?.html ?? "", kept.original, pictures);
    const ofPage = await this.#pictureOf(bookmarkId, kept.origin, pictures);
    const placedParts = await placeBytes(
      this.#dependencies,
      packed.parts.map(({ bytes }) => bytes),
    );
    return async (sql) => {
      const now = database.clock.now();
      const { title, url } = await heldBookmark(sql, bookmarkId);
      await lockCopies(sql);
      await this.#checkLimits(sql, bookmarkId, packed.size);
      const id = await insertOne(
        sql,
        fragment`
          insert into copies (${COLUMNS}) values (${valuesOf(aboutOf(kept, { bookmarkId, title, accountId, now }), packed)})`,
      );
      await insertParts(sql, id, packed.parts, placedParts);
      await sql`delete from copy_failures where bookmark_id = ${bookmarkId}`;
      await copiesChanged(sql, [bookmarkId]);
      // The bookmark may lead elsewhere by now.
      if (ofPage?.url === url) await storePicture(sql, url, { ...ofPage, readAt: now }, now);
      const copy = await this.#store.find(sql, bookmarkId, id);
      await countChange(sql, 1, 0);
      if (copy === undefined) throw new Error("The copy that was just stored is not there.");
      return copy;
    };
  }

  /** The first picture of a text that is large enough for one of its page, where that has none that as many may see. */
  async #pictureOf(
    bookmarkId: number,
    origin: CopyOrigin,
    pictures: readonly Part[],
  ): Promise<{ url: string; picture: PlacedPicture; isPublic: boolean } | undefined> {
    const { read } = this.#dependencies.database;
    const [bookmark] = await read<{ url: string }>`select url from bookmarks where id = ${bookmarkId}`;
    if (bookmark === undefined || pictures.length === 0) return undefined;
    const { url } = bookmark;
    // What a browser has sent may be from behind a sign-in.
    const isPublic = origin === "fetched";
    const known = await findKnown(read, url);
    if (known?.hasPicture && (known.isPublic || !isPublic)) return undefined;
    for (const { bytes } of pictures) {
      const picture = await acceptPagePicture(bytes);
      if (picture !== undefined) return { url, picture: await placed(this.#dependencies, picture), isPublic };
    }
    return undefined;
  }

  /**
   * Checks whether a bookmark may have one more copy now, before a page is fetched or extracted.
   * @param bytes of the page
   * @throws Refusal as {@link keep} does
   */
  async check(bookmarkId: number, bytes: number): Promise<void> {
    const { read } = this.#dependencies.database;
    if (bytes > limits().copyBytes) throw tooLarge();
    await checkExists(read, bookmarkId);
    // An original takes less room than it has bytes.
    await this.#checkLimits(read, bookmarkId, 0);
  }

  /** @throws Refusal when the bookmark may not have one more copy of this size */
  async #checkLimits(sql: Sql, bookmarkId: number, size: number): Promise<void> {
    const [row] = await sql<{ n: number }>`
      select count(*) as n from copies where bookmark_id = ${bookmarkId}`;
    if (Number(row?.n) >= limits().copiesPerBookmark) throw tooMany();
    await this.#dependencies.room.check(sql, size);
  }
}

async function checkExists(sql: Sql, bookmarkId: number): Promise<void> {
  const [found] = await sql`select id from bookmarks where id = ${bookmarkId}`;
  if (found === undefined) throw notFound("Bookmark", bookmarkId);
}

/** 413 */
export function tooLarge(): Refusal {
  return new Refusal(
    "too_large",
    `A page may have at most ${limits().copyBytes / (1024 * 1024)} MB, with its pictures.`,
  );
}

/** 409 for a bookmark that has as many copies as it takes. */
export function tooMany(): Refusal {
  return new Refusal(
    "conflict",
    `A bookmark takes ${limits().copiesPerBookmark} copies, and this one has as many: delete one first.`,
  );
}

/** The pictures that can be shown; one that is refused leaves its caption. */
async function acceptedPictures({ page, pictures }: PageToKeep): Promise<Part[]> {
  const accepted: Part[] = [];
  let together = 0;
  for (const [index, { bytes: own }] of (page?.pictures ?? []).entries()) {
    const bytes = own ?? pictures?.get(index + 1);
    if (bytes === undefined || bytes.length > PICTURES.bytes) continue;
    if (accepted.length >= PICTURES.count || together + bytes.length > PICTURES.together) break;
    together += bytes.length;
    try {
      const { type, ...picture } = await acceptPicture(bytes, PICTURE_SIDE_MAX);
      accepted.push({ name: pictureName(index + 1), type: IMAGE_TYPES[type], ...picture });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return accepted;
}

/** The HTML with the sizes of its pictures, and without those that are not there. */
function withPictures(html: string, pictures: readonly Part[]): string {
  if (!html.includes("<img")) return html;
  const byName = new Map(pictures.map((picture) => [picture.name, picture]));
  return new HTMLRewriter()
    .on("img", {
      element(image) {
        const picture = byName.get(image.getAttribute("src") ?? "");
        if (picture === undefined) return;
        // In the order in which the sanitizer writes them, so that an archive brings back the same bytes.
        image.setAttribute("width", String(picture.width)).setAttribute("height", String(picture.height));
        image.removeAttribute("loading").setAttribute("loading", "lazy");
      },
    })
    .transform(withoutLost(html, byName));
}

/**
 * The characters of a text that is sanitized once more in this process, which answers nobody meanwhile. In a longer one, an empty
 * figure stays.
 */
const SANITIZED_MAX = 500_000;

/** Without pictures that are not there, and what was around them alone. */
function withoutLost(html: string, pictures: ReadonlyMap<string, Part>): string {
  let isWhole = true;
  const rest = new HTMLRewriter()
    .on("img", {
      element(image) {
        if (pictures.has(image.getAttribute("src") ?? "")) return;
        isWhole = false;
        image.remove();
      },
    })
    .transform(html);
  if (isWhole) return html;
  if (rest.length > SANITIZED_MAX) return rest;
  try {
    return sanitizedAgain(rest);
  } catch (error) {
    // It may have more elements than the page.
    if (error instanceof ExtractionError) return rest;
    throw error;
  }
}

function* originalParts(original: PageToKeep["original"]): Generator<Part> {
  if (original === undefined) return;
  const { rest, taken } = takeOut(original.bytes);
  yield { name: ORIGINAL, type: plainType(original.type), bytes: rest };
  for (const [index, { position, decode }] of taken.entries())
    yield { name: `data-${index + 1}`, type: "application/octet-stream", bytes: decode(), position };
}

/** A media type with nothing but its charset, so that it can be a header. */
export function plainType(type: string): string {
  const bare = mediaTypeOf(type);
  const charset = charsetOf(type);
  return `${bare === "" ? "application/octet-stream" : bare.slice(0, 120)}${charset === undefined ? "" : `; charset=${charset}`}`;
}

/** The bytes of a copy as they are stored. */
export interface PackedCopy {
  readonly text: Uint8Array;
  readonly parts: readonly PackedPart[];
  /** Of all of them. */
  readonly size: number;
}

/**
 * Compresses what is stored of a copy, without pictures that show nothing: the sanitizer would take them out of an archive.
 * @param html without the sizes of its pictures
 */
export async function packedCopy(
  html: string,
  original: PageToKeep["original"],
  decoded: readonly Part[],
): Promise<PackedCopy> {
  const pictures = decoded.filter(({ width, height }) => !isDot(width) && !isDot(height));
  const text = await Bun.zstdCompress(withPictures(html, pictures));
  const parts: PackedPart[] = [];
  const pack = async ({ bytes, ...part }: Part) => {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    parts.push({ ...part, sha256, bytes: await Bun.zstdCompress(bytes) });
  };
  for (const part of originalParts(original)) await pack(part);
  for (const part of pictures) await pack(part);
  return { text, parts, size: parts.reduce((sum, { bytes }) => sum + bytes.length, text.length) };
}

/** What is known of a copy that is to be stored. */
export type AboutCopy = Omit<Copy, "id" | "size"> & { readonly createdBy: number | null };

function aboutOf(
  { origin, url, takenAt, page }: PageToKeep,
  bookmark: {
    readonly bookmarkId: number;
    readonly title: string;
    readonly accountId: number | undefined;
    readonly now: Date;
  },
): AboutCopy {
  return {
    ...{ bookmarkId: bookmark.bookmarkId, takenAt: takenAt ?? bookmark.now, origin, url },
    title: storable(page?.title, 200) ?? bookmark.title,
    byline: storable(page?.byline, 200),
    site: storable(page?.site, 200),
    language: storable(page?.language, 35),
    direction: page?.direction ?? null,
    publishedAt: page?.publishedAt ?? null,
    words: page?.words ?? 0,
    isArticle: page?.isArticle ?? false,
    extractor: EXTRACTOR_VERSION,
    createdBy: bookmark.accountId ?? null,
  };
}

/** The columns of `copies` but its id, in the order of {@link valuesOf}. */
const COLUMNS = fragment`bookmark_id, taken_at, origin, url, title, byline, site, language, direction, published_at, words,
  is_article, extractor, size, created_by, digest, text`;

function valuesOf(about: AboutCopy, { size, text }: PackedCopy): Fragment {
  const { bookmarkId, takenAt, origin, url, title, byline, site, language, direction, publishedAt } = about;
  return fragment`${bookmarkId}, ${takenAt}, ${origin}, ${url}, ${title}, ${byline}, ${site}, ${language}, ${direction},
    ${publishedAt}, ${about.words}, ${about.isArticle}, ${about.extractor}, ${size}, ${about.createdBy},
    ${contentDigest(url, title, byline ?? "", site ?? "", text)}, ${text}`;
}

/** Stores a copy of an archive under an id that the caller has assigned, with its bytes in the database. */
export async function placeCopy(sql: Sql, id: number, about: AboutCopy, packed: PackedCopy): Promise<void> {
  await sql`insert into copies (id, ${COLUMNS}) values (${id}, ${valuesOf(about, packed)})`;
  const placed = packed.parts.map(({ bytes }) => ({ bytes, object: null }));
  await insertParts(sql, id, packed.parts, placed);
}

async function insertParts(
  sql: Sql,
  copyId: number,
  parts: readonly PackedPart[],
  placed: readonly StoredBytes[],
): Promise<void> {
  if (parts.length === 0) return;
  for (const [index, { sha256, bytes: packed }] of parts.entries()) {
    const { bytes, object } = placed[index] as StoredBytes;
    await storeBlob(sql, { sha256, size: packed.length }, { bytes, object });
  }
  const rows = parts.map(({ name, sha256, type, width = null, height = null, position = null }) => [
    ...[copyId, name, sha256, type, width, height, position],
  ]);
  await sql`
    insert into copy_parts (copy_id, name, sha256, type, width, height, position) values ${rowList(rows)}`;
}

/** A text of a page as every engine stores it; null when nothing is left. */
function storable(text: string | null | undefined, max: number): string | null {
  const clean = (text ?? "").replaceAll("\0", "").toWellFormed().trim();
  // A character takes two units at most.
  return [...clean.slice(0, max * 2)].slice(0, max).join("").toWellFormed() || null;
}
