import { createHash } from "node:crypto";
import { z } from "zod";
import type { Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import { kept, type RecordCount } from "../../kept/kept.ts";
import { IncompleteRecord, type Lines, tableLines, text as textOf } from "../../kept/lines.ts";
import { type RecordResult, thereAlready } from "../../kept/staged-record.ts";
import { acceptArchivedPicture, PAGE_PICTURE_BYTES } from "../../media/accept-page-picture.ts";
import type { StoredBytes } from "../../media/media-store.ts";
import { instant } from "../../records/record.ts";
import { text } from "../../text.ts";
import { packed, unpacked } from "../copy-blobs.ts";
import { findKnown, type PlacedPicture, purgePagePictures, storePicture } from "./page-picture-store.ts";

/** The pictures that are stored at a time, with their bytes. */
const STORED_AT_ONCE = 10;

const shape = z.object({
  url: text({ min: 1, max: 500 }).refine((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ""), {
    message: "Must be a URL with http or https.",
  }),
  read_at: instant,
  is_public: z.boolean(),
  path: z.string().regex(/^page-pictures\/[0-9a-f]{40}\.webp$/),
});
type Line = z.input<typeof shape>;

/** The pictures of pages. Undoing an import leaves them: a picture goes with the last bookmark of its page. */
export const keptPictures = kept({
  kind: "picture",
  names: ["picture of a page", "pictures of pages"],
  purge: purgePagePictures,
  archive: {
    file: "page-pictures.jsonl",
    shape,
    title: "url",
    isCounted: true,
    lines: pictureLines(),

    files: async (sql, { url, path }, readObject) => [{ path, content: () => bytesOf(sql, url, readObject) }],
    filesOf: ({ path }) => [{ name: path, path, max: PAGE_PICTURE_BYTES }],

    async bringIn(run, pictures) {
      const { sql, isDry, now } = run;
      await pictures.each(async (batch) => {
        const results: RecordResult[] = [];
        for (const { position, record } of batch) {
          const { url, path, is_public: isPublic } = record;
          const [form] = run.forms(path);
          const picture = form && "bytes" in form ? await acceptArchivedPicture(form.bytes) : undefined;
          if (picture === undefined) {
            const detail = "This is not the picture of a page.";
            results.push({ position, outcome: "refused", reason: "wrong_image", detail });
          } else if ((await findKnown(sql, url))?.hasPicture) {
            results.push(thereAlready(position, "This page already has a picture.", { key: url }));
          } else {
            const { width, height, bytes } = picture;
            const { sha256, bytes: small } = await packed(bytes);
            const stored: StoredBytes = { bytes: small, object: null };
            const placed: PlacedPicture = { sha256, width, height, size: small.length, stored };
            const readAt = new Date(record.read_at);
            if (!isDry) await storePicture(sql, url, { picture: placed, isPublic, readAt }, now);
            results.push({ position, outcome: "added", key: url });
          }
        }
        return results;
      }, STORED_AT_ONCE);
    },
  },
  check: async (sql) => [
    [
      "pictures of pages without their size",
      await sql<RecordCount>`select count(*) as n, min(url) as example from page_pictures
        where sha256 is not null and (width is null or height is null)`,
    ],
  ],
});

function pictureLines(): Lines<Line> {
  const rows = tableLines<Omit<Line, "path">>({
    columns: fragment`url, read_at, is_public`,
    from: fragment`page_pictures`,
    where: fragment`sha256 is not null and unused_since is null`,
    key: [fragment`url`, "url"],
    as: { read_at: textOf, is_public: Boolean },
  });
  return {
    ...rows,
    read: async (sql, after, upTo) =>
      (await rows.read(sql, after, upTo)).map((row) => ({ ...row, path: picturePath(row.url) })),
    keyOf: ({ url }) => [url],
  };
}

/** A file for each page, also where several have the same picture. */
export function picturePath(url: string): string {
  return `page-pictures/${createHash("sha256").update(url).digest("hex").slice(0, 40)}.webp`;
}

async function bytesOf(
  sql: Sql,
  url: string,
  readObject: (name: string) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const [row] = await sql<StoredBytes>`
    select bytes, object from page_pictures p join copy_blobs c on c.sha256 = p.sha256 where url = ${url}`;
  if (row === undefined) throw new IncompleteRecord(`the picture of ${url} has no bytes`);
  return unpacked(row, { get: readObject });
}
