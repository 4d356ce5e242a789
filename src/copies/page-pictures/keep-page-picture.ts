import type { ReadPage } from "../../bookmarks/site-icons/keep-site-icon.ts";
import type { Database } from "../../database/database.ts";
import {
  acceptPagePicture,
  PAGE_PICTURE_BYTES,
  type PagePictureBytes,
} from "../../media/accept-page-picture.ts";
import type { ObjectStore } from "../../media/object-store.ts";
import { placeBytes } from "../../media/place-images.ts";
import { FetchError, fetchPublic, type Network, TooManyFetches } from "../../outbound/fetch-public.ts";
import { packed } from "../copy-blobs.ts";
import type { CopyRoom } from "../copy-room.ts";
import { findKnown, type PlacedPicture, storePicture } from "./page-picture-store.ts";

/** The bytes of a picture as its site has it. */
const SOURCE_BYTES = 5 * 1024 * 1024;
const LIMITS = {
  timeout: 10_000,
  // One more, so that a picture which is larger is not taken for its beginning.
  maxBytes: SOURCE_BYTES + 1,
  accept: "image/webp,image/jpeg,image/png,image/gif",
};
/** A picture that is older is read again, together with its page. */
export const RENEWED_AFTER = 30 * 24 * 60 * 60 * 1000;
/** How many pictures are fetched at a time, each with its bytes in memory: further pages are read without one. */
const AT_ONCE = 4;

/** Where pictures are kept. */
export interface PicturePlaces {
  readonly database: Database;
  readonly objects: ObjectStore | undefined;
  readonly room: Pick<CopyRoom, "checkDisk">;
}

/** Keeps the picture of a page that was read. */
export type KeepPagePicture = (page: ReadPage) => Promise<void>;

/** Keeps pictures of pages that were read for their titles. */
export function pagePictureKeeper(places: PicturePlaces, network: Network): KeepPagePicture {
  const beingRead = new Set<string>();
  return async (page) => {
    if (beingRead.has(page.asked) || beingRead.size >= AT_ONCE) return;
    beingRead.add(page.asked);
    try {
      await keepPagePicture(places, page, (url) => pictureAt(url, page.url, network));
    } finally {
      beingRead.delete(page.asked);
    }
  };
}

/**
 * Keeps the first picture that a page names and that can be fetched, unless it was asked for one within the last month.
 * @param fetchBytes undefined where there is nothing
 * @throws Refusal `storage_full` before anything is fetched; `unavailable` when the store of MEDIA is away
 */
export async function keepPagePicture(
  places: PicturePlaces,
  { asked, pictures }: Pick<ReadPage, "asked" | "pictures">,
  fetchBytes: (url: URL) => Promise<Uint8Array | undefined>,
): Promise<void> {
  const { database } = places;
  const known = await findKnown(database.read, asked);
  const now = database.clock.now();
  if (known?.isPublic && now.getTime() - known.readAt.getTime() < RENEWED_AFTER) return;
  places.room.checkDisk(PAGE_PICTURE_BYTES);
  const accepted = await firstOf(pictures, fetchBytes);
  const picture = accepted && (await placed(places, accepted));
  await database.write((sql) => storePicture(sql, asked, { picture, isPublic: true, readAt: now }, now));
}

async function firstOf(
  pictures: readonly string[],
  fetchBytes: (url: URL) => Promise<Uint8Array | undefined>,
): Promise<PagePictureBytes | undefined> {
  for (const url of new Set(pictures)) {
    const parsed = URL.parse(url);
    const bytes = parsed === null ? undefined : await fetchBytes(parsed);
    const picture = bytes && (await acceptPagePicture(bytes));
    if (picture !== undefined) return picture;
  }
  return undefined;
}

/** The bytes of a picture; what is there decides, whatever its name or its type says. @param page that names it */
export async function pictureAt(
  url: URL,
  page: URL,
  network: Network,
  signal?: AbortSignal,
): Promise<Uint8Array | undefined> {
  // Other ports than that of the page are of no web sites, and pages that name them would make a scan.
  const limits = { ...LIMITS, usualPorts: url.origin !== page.origin, ...(signal && { signal }) };
  try {
    const { status, bytes } = await fetchPublic(url, limits, network);
    return status === 200 && bytes.length <= SOURCE_BYTES ? bytes : undefined;
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof FetchError) || error instanceof TooManyFetches) throw error;
    return undefined;
  }
}

/** Puts the bytes of a picture where they stay. @throws Refusal `unavailable` when the store of MEDIA is away */
export async function placed(
  places: Omit<PicturePlaces, "room">,
  { width, height, bytes }: PagePictureBytes,
): Promise<PlacedPicture> {
  const { sha256, bytes: small } = await packed(bytes);
  const [stored = { bytes: small, object: null }] = await placeBytes(places, [small]);
  return { sha256, width, height, size: small.length, stored };
}
