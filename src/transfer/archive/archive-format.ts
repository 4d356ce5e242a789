import { z } from "zod";

/** The version of the archive's format (docs/archive-format.md). Readers accept this and earlier versions. */
export const ARCHIVE_VERSION = 1;

/** The file that identifies a zip archive as ours. */
export const MANIFEST = "commonplace.json";

/** The file of each kind of record, with one JSON object per line. */
export const RECORD_FILES = {
  setting: "settings.jsonl",
  tag: "tags.jsonl",
  image: "images.jsonl",
  icon: "icons.jsonl",
  bookmark: "bookmarks.jsonl",
  post: "posts.jsonl",
  version: "versions.jsonl",
  comment: "comments.jsonl",
  edit: "edits.jsonl",
} as const;

const lastId = z.int().min(0).optional();

export const Manifest = z.object({
  format: z.literal("commonplace"),
  version: z.int().min(1),
  program: z.string(),
  exported_at: z.string(),
  /** The last ids assigned by the database, from which a new one continues. */
  last_ids: z.object({ bookmarks: lastId, posts: lastId, comments: lastId, tags: lastId }).default({}),
});
export type Manifest = z.input<typeof Manifest>;

/** The path of an image in the archive. @param width of a smaller version; without it, full size */
export function imageFile(sha: string, type: string, width?: number): string {
  return `media/${sha}${width === undefined ? "" : `-${width}`}.${type}`;
}
