import type { Database, Sql } from "../database/database.ts";
import { fragment } from "../database/fragment.ts";
import { Refusal } from "../errors.ts";
import type { AcceptedImage } from "./accept-image.ts";
import type { Media, MediaVariant, PlacedVariant } from "./media.ts";
import { insertMedia, type StoredBytes } from "./media-store.ts";
import { type ObjectStore, objectName } from "./object-store.ts";

const DAY = 24 * 60 * 60 * 1000;
/** How long an object is kept that no image has any more: a backup of that age has all its images. */
const GRACE = 30 * DAY;
/** How long one is kept of which nothing may stay: longer than any upload takes that has announced the same bytes. */
const SOON = DAY / 2;
/** How long a process may take to remove an object, in milliseconds: much more than its time limits. */
const REMOVAL = 10 * 60 * 1000;

/** The database of the images, and the store beside it if there is one. */
export interface MediaPlaces {
  readonly database: Database;
  readonly objects: ObjectStore | undefined;
}

/** Stores an uploaded image, unless it exists already. @throws Refusal as {@link placeForms} and `Database.write` do */
export async function storeImage(
  { database, objects }: MediaPlaces,
  { media, forms }: AcceptedImage,
  accountId: number | undefined,
): Promise<Media> {
  const placed = await placeForms({ database, objects }, forms);
  return database.write((sql) => insertMedia(sql, { media, forms: placed }, accountId, database.clock.now()));
}

/** As {@link MediaPlaces}, for what only writes. */
export type WritablePlaces = Pick<MediaPlaces, "objects"> & {
  readonly database: Pick<Database, "write" | "clock">;
};

/**
 * Puts the bytes of an image into the store, before there are rows of it. Without a store, they stay in the rows. What
 * becomes no row is removed after the grace period, since it was announced.
 *
 * @throws Refusal `unavailable`
 */
export async function placeForms(
  places: WritablePlaces,
  forms: readonly MediaVariant[],
): Promise<readonly PlacedVariant[]> {
  const placed = await placeBytes(
    places,
    forms.map(({ bytes }) => bytes),
  );
  return forms.map(({ width, bytes }, index) => {
    const object = placed[index]?.object;
    return typeof object === "string" ? { width, object } : { width, bytes };
  });
}

/** The same for any bytes. */
export async function placeBytes(
  { database, objects }: WritablePlaces,
  all: readonly Uint8Array[],
): Promise<readonly StoredBytes[]> {
  if (objects === undefined) return all.map((bytes) => ({ bytes, object: null }));
  const named = all.map((bytes) => ({ bytes, object: objectName(bytes) }));
  await database.write(async (sql) => {
    for (const { object } of named) await announce(sql, object, database.clock.now());
  });
  for (const { object, bytes } of named) await objects.put(object, bytes);
  return named.map(({ object }) => ({ bytes: null, object }));
}

async function announce(sql: Sql, object: string, now: Date): Promise<void> {
  const rows = await sql`
    insert into media_objects (object, used_at) values (${object}, ${now})
    on conflict (object) do update set used_at = excluded.used_at, removing_until = null
    where media_objects.removing_until is null or media_objects.removing_until <= ${now}
    returning object`;
  if (rows.length === 0)
    throw new Refusal("unavailable", "The same image is being removed: try again in some minutes.", {
      retryAfter: REMOVAL / 1000,
    });
}

/** Lets the job remove an object within a day, unless something else has it: what was deleted for good is in no backup's interest. */
export async function unusedSoon(sql: Sql, object: string, now: Date): Promise<void> {
  await sql`update media_objects set used_at = ${new Date(now.getTime() - GRACE + SOON)} where object = ${object}`;
}

/**
 * Removes an object that no image has had for the grace period. First its row says so, so that nobody puts it there in
 * the meantime and has it removed afterwards.
 *
 * @returns the number of removed objects: 0 when there is none left
 * @throws Refusal `unavailable`
 */
export async function removeUnusedObject({ database, objects }: WritablePlaces): Promise<number> {
  if (objects === undefined) return 0;
  const now = database.clock.now();
  const unused = fragment`used_at < ${new Date(now.getTime() - GRACE)}
    and (removing_until is null or removing_until <= ${now})
    and not exists (select 1 from media_forms where media_forms.object = media_objects.object)
    and not exists (select 1 from copy_blobs where copy_blobs.object = media_objects.object)`;
  const until = new Date(now.getTime() + REMOVAL);
  const [found] = await database.write(
    (sql) => sql<{ object: string }>`
      update media_objects set removing_until = ${until}
      where object = (select object from media_objects where ${unused} limit 1) and ${unused}
      returning object`,
  );
  if (found === undefined) return 0;
  // A process that was stopped meanwhile may come too late: the image can have been uploaded again.
  if (database.clock.now().getTime() > until.getTime() - REMOVAL / 2) return 0;
  await objects.delete(found.object);
  await database.write(
    (sql) => sql`delete from media_objects where object = ${found.object} and removing_until = ${until}`,
  );
  return 1;
}
