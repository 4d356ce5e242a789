import { contentDigest } from "../database/content-digest.ts";
import type { Sql } from "../database/database.ts";
import { fragment, joined } from "../database/fragment.ts";
import type { Rows } from "../database/schema/rows.ts";
import type { AcceptedImage } from "./accept-image.ts";
import type { Media, MediaWidths, PlacedVariant } from "./media.ts";
import { type ObjectStore, readObject } from "./object-store.ts";

type MediaRow = Omit<Rows["media"], "created_by">;

const COLUMNS = fragment`sha, type, width, height, size, created_at`;

/** Stores an image whose bytes have their place, unless it exists already. */
export async function insertMedia(
  sql: Sql,
  { media, forms }: { readonly media: AcceptedImage["media"]; readonly forms: readonly PlacedVariant[] },
  accountId: number | undefined,
  now: Date,
): Promise<Media> {
  const { sha, type, width, height, size } = media;
  const rows = await sql`
    insert into media (sha, type, width, height, size, created_at, created_by)
    values (${sha}, ${type}, ${width}, ${height}, ${size}, ${now}, ${accountId ?? null})
    on conflict (sha) do nothing returning sha`;
  if (rows.length === 0) return (await findMedia(sql, sha)) ?? { ...media, createdAt: now };
  // A hidden image has them already.
  for (const form of forms)
    await ("bytes" in form
      ? sql`insert into media_forms (sha, width, bytes, digest)
          values (${sha}, ${form.width}, ${form.bytes}, ${contentDigest(form.bytes)})
          on conflict (sha, width) do nothing`
      : sql`insert into media_forms (sha, width, object) values (${sha}, ${form.width}, ${form.object})
          on conflict (sha, width) do nothing`);
  return { ...media, createdAt: now };
}

export async function findMedia(sql: Sql, sha: string): Promise<Media | undefined> {
  const [row] = await sql<MediaRow>`
    select ${COLUMNS} from media where sha = ${sha}`;
  return row && fromRow(row);
}

/** The existing ones of these images. */
export async function findAllMedia(sql: Sql, shas: readonly string[]): Promise<Media[]> {
  if (shas.length === 0) return [];
  const rows = await sql<MediaRow>`select ${COLUMNS} from media where ${anyOf(shas)}`;
  return rows.map(fromRow);
}

function anyOf(shas: readonly string[]) {
  return joined(
    shas.map((sha) => fragment`media.sha = ${sha}`),
    fragment` or `,
  );
}

/** The existing ones of these images, with the widths that each is stored at. */
export async function findWidths(sql: Sql, shas: readonly string[]): Promise<MediaWidths[]> {
  if (shas.length === 0) return [];
  const rows = await sql<Pick<MediaRow, "sha" | "type" | "width" | "height"> & { form: number }>`
    select media.sha, type, media.width, height, media_forms.width as form
    from media join media_forms on media_forms.sha = media.sha
    where ${anyOf(shas)} order by media.sha, media_forms.width`;
  return [...Map.groupBy(rows, ({ sha }) => sha).values()].flatMap((forms) => {
    const [first] = forms;
    if (first === undefined) return [];
    const { sha, type } = first;
    const [width, height] = [Number(first.width), Number(first.height)];
    const smaller = forms.map(({ form }) => Number(form)).filter((form) => form < width);
    return [{ sha, type, width, height, smaller }];
  });
}

/** Where the bytes of an image are. */
export interface StoredBytes {
  readonly bytes: Uint8Array | null;
  readonly object: string | null;
}

/** The bytes of an image, from wherever they are. @throws Refusal as {@link readObject} does */
export async function bytesOf(
  { bytes, object }: StoredBytes,
  objects: Pick<ObjectStore, "get"> | undefined,
): Promise<Uint8Array> {
  return bytes ?? readObject(objects, String(object));
}

/** An image at a width; without one, at full size. */
export async function findMediaVariant(
  sql: Sql,
  { sha, type, width }: { readonly sha: string; readonly type: string; readonly width: number | undefined },
): Promise<StoredBytes | undefined> {
  const [row] = await sql<StoredBytes>`
    select bytes, object from media join media_forms on media_forms.sha = media.sha
    where media.sha = ${sha} and type = ${type}
      and media_forms.width = ${width === undefined ? fragment`media.width` : width}`;
  return row;
}

/** All images, newest first. */
export async function listMedia(sql: Sql): Promise<Media[]> {
  const rows = await sql<MediaRow>`
    select ${COLUMNS} from media order by created_at desc, sha`;
  return rows.map(fromRow);
}

/** Deletes an image; a job removes what it has beside the database later. @returns whether it existed */
export async function deleteMedia(sql: Sql, sha: string, now: Date): Promise<boolean> {
  await sql`
    update media_objects set used_at = ${now}
    where object in (select object from media_forms where sha = ${sha} and object is not null)`;
  await sql`delete from media_forms where sha = ${sha}`;
  return (await sql`delete from media where sha = ${sha} returning sha`).length > 0;
}

/** An image that nobody sees until it is shown again: its bytes alone are kept. */
export interface HiddenMedia extends Omit<MediaRow, "created_at"> {
  readonly created_at: string;
  readonly created_by: number | null;
}

/** Hides images. @returns those that existed, as {@link showMedia} needs them */
export async function hideMedia(sql: Sql, shas: readonly string[]): Promise<HiddenMedia[]> {
  const hidden = [];
  for (const wanted of shas) {
    const [row] = await sql<MediaRow & { created_by: number | null }>`
      delete from media where sha = ${wanted} returning sha, type, width, height, size, created_at, created_by`;
    if (row === undefined) continue;
    const { createdAt, ...media } = fromRow(row);
    const created_by = row.created_by === null ? null : Number(row.created_by);
    hidden.push({ ...media, created_at: createdAt.toISOString(), created_by });
  }
  return hidden;
}

/** Shows hidden images again. */
export async function showMedia(sql: Sql, hidden: readonly HiddenMedia[]): Promise<void> {
  for (const { sha, type, width, height, size, created_at, created_by } of hidden)
    await sql`
      insert into media (sha, type, width, height, size, created_at, created_by)
      values (${sha}, ${type}, ${width}, ${height}, ${size}, ${new Date(created_at)}, ${created_by})
      on conflict (sha) do nothing`;
}

/** Deletes a hidden image, unless it has been uploaded again. */
export async function deleteHidden(sql: Sql, sha: string, now: Date): Promise<void> {
  if ((await findMedia(sql, sha)) === undefined) await deleteMedia(sql, sha, now);
}

function fromRow(row: MediaRow): Media {
  return {
    sha: row.sha,
    type: row.type,
    width: Number(row.width),
    height: Number(row.height),
    size: Number(row.size),
    createdAt: new Date(row.created_at),
  };
}
