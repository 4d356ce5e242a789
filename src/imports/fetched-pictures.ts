import type { Database } from "../database/database.ts";
import { type Fragment, fragment } from "../database/fragment.ts";
import type { AcceptedImage } from "../media/accept-image.ts";
import type { Network } from "../outbound/fetch-public.ts";
import type { StagedSite } from "../transfer/import/staged-file.ts";
import type {
  BringingOptions,
  BroughtPicture,
  KeptPictures,
  KnownPicture,
} from "../transfer/pictures/bring-pictures.ts";
import type { Upload } from "./uploads.ts";

/** Whether the pictures of a blog are being fetched, before its import begins. */
export function isFetching({ kind, state, step }: Pick<Upload, "kind" | "state" | "step">): boolean {
  return kind === "blog" && state === "importing" && step.total > 0;
}

/** Ends the fetching of pictures, and shows the preview again. @returns false when nothing is fetched */
export async function stopFetching(database: Pick<Database, "write">, key: string): Promise<boolean> {
  const rows = await database.write(
    (sql) => sql`
      update import_uploads set state = 'ready', step_done = 0, step_total = 0
      where key = ${key} and kind = 'blog' and state = 'importing' and step_total > 0 returning key`,
  );
  return rows.length > 0;
}

export interface FetchingOptions {
  readonly network: Network;
  readonly signal: AbortSignal;
  readonly spent: number;
  /** Other limits are for tests. */
  readonly limits?: BringingOptions["limits"];
}

/**
 * Brings the pictures of a blog along from other sites. Each is kept in the database until the import is finished, so that an
 * interrupted job, or a second import of the file, fetches only the others. After a while it leaves them to another run.
 *
 * @param spent the milliseconds of earlier runs
 * @returns whether all are there; `stopped` when nothing is to be imported; the milliseconds so far when another run goes on
 */
export async function fetchPictures(
  database: Pick<Database, "read" | "write">,
  { key }: Pick<Upload, "key">,
  { records, now }: StagedSite,
  { network, signal, spent, limits }: FetchingOptions,
): Promise<"complete" | "stopped" | number> {
  const total = records.pictures.count;
  if (total === 0) return "complete";
  const goesOn = async (done: number) => {
    const rows = await database.write(
      (sql) => sql`
        update import_uploads set step_done = case when step_done < ${done} then ${done} else step_done end
        where key = ${key} and state = 'importing' and step_total > 0 returning key`,
    );
    if (rows.length === 0) throw new Stopped();
  };
  if (spent === 0)
    await database.write(async (sql) => {
      await sql`delete from import_pieces where key = ${key} and part = 'pictures' and number < 0`;
      await sql`
        update import_uploads set step_done = 0, step_total = ${total} where key = ${key} and state = 'importing'`;
    });
  const read = async (number: number, bytes: Fragment) => {
    const [chunk] = await database.read<{ bytes: Uint8Array }>`
      select ${bytes} as bytes from import_pieces
      where key = ${key} and part = 'pictures' and number in (${number}, ${-number})`;
    return chunk && Buffer.from(chunk.bytes);
  };
  const kept: KeptPictures = {
    async know(number) {
      const chunk = await read(number, fragment`substr(bytes, 1, ${HEADER_MAX})`);
      return chunk && known(headerOf(chunk));
    },
    async find(number) {
      const chunk = await read(number, fragment`bytes`);
      if (chunk === undefined) throw new Stopped();
      return unpacked(chunk);
    },
    async keep(number, picture) {
      // Whatever another import may find is kept for the next runs of this one alone, below a negative number.
      const kept = "missing" in picture && !picture.isLasting ? -number : number;
      await database.write(
        (sql) => sql`
          insert into import_pieces (key, part, number, bytes)
          values (${key}, 'pictures', ${kept}, ${packed(picture)}) on conflict do nothing`,
      );
    },
  };
  try {
    const { bringPictures } = await import("../transfer/pictures/bring-pictures.ts");
    const options = { network, signal, now, kept, spent, onProgress: goesOn };
    const soFar = await bringPictures(records, { ...options, ...(limits && { limits }) });
    if (soFar !== undefined) return soFar;
    const rows = await database.write(
      (sql) => sql`
        update import_uploads set step_done = 0, step_total = 0
        where key = ${key} and state = 'importing' and step_total > 0 returning key`,
    );
    return rows.length > 0 ? "complete" : "stopped";
  } catch (error) {
    if (error instanceof Stopped) return "stopped";
    throw error;
  }
}

/** Somebody has stopped the fetching of pictures. */
class Stopped extends Error {}

/** A header is shorter, in bytes: four widths at most, or one sentence. */
const HEADER_MAX = 4_096;

interface Header {
  readonly missing?: string;
  readonly isLasting?: boolean;
  readonly isUnreachable?: boolean;
  readonly bytes: number;
  readonly media: AcceptedImage["media"];
  /** Width and number of bytes at each width, in the order of the bytes that follow. */
  readonly forms: readonly (readonly [width: number, length: number])[];
}

/** A picture as bytes: the length of its header, the header as JSON, the image at each width. */
function packed(picture: BroughtPicture): Uint8Array {
  const forms = "accepted" in picture ? picture.accepted.forms : [];
  const header =
    "accepted" in picture
      ? {
          bytes: picture.bytes,
          media: picture.accepted.media,
          forms: forms.map(({ width, bytes }) => [width, bytes.length]),
        }
      : picture;
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return new Uint8Array(Buffer.concat([length, text, ...forms.map(({ bytes }) => bytes)]));
}

function headerOf(chunk: Buffer): Header {
  return JSON.parse(chunk.toString("utf8", 4, 4 + chunk.readUInt32LE(0))) as Header;
}

function known({ missing, isLasting = true, isUnreachable = false, bytes, forms }: Header): KnownPicture {
  if (missing !== undefined) return { missing, isLasting, isUnreachable };
  const stored = forms.reduce((size, [, length]) => size + length, 0);
  return { size: Math.max(bytes, stored) };
}

function unpacked(chunk: Buffer): BroughtPicture {
  const header = headerOf(chunk);
  const about = known(header);
  if ("missing" in about) return about;
  let at = 4 + chunk.readUInt32LE(0);
  const forms = header.forms.map(([width, length]) => {
    at += length;
    return { width, bytes: new Uint8Array(chunk.subarray(at - length, at)) };
  });
  return { accepted: { media: header.media, forms }, bytes: header.bytes };
}
