import { z } from "zod";

/** The version of the archive's format (docs/archive-format.md). A reader takes this one and earlier ones. */
export const ARCHIVE_VERSION = 1;

/** The file that makes a zip archive one of ours. */
export const MANIFEST = "commonplace.json";

/** The files with records, one JSON object a line, by their kind. */
export const RECORD_FILES = {
  setting: "settings.jsonl",
  tag: "tags.jsonl",
  image: "images.jsonl",
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
  /** The last ids that the database had given: a new one goes on after them. */
  last_ids: z.object({ bookmarks: lastId, posts: lastId, comments: lastId, tags: lastId }).default({}),
});
export type Manifest = z.input<typeof Manifest>;

/** Where an archive has the bytes of an image. @param width of a smaller form; the image's own is whole */
export function imageFile(sha: string, type: string, width?: number): string {
  return `media/${sha}${width === undefined ? "" : `-${width}`}.${type}`;
}
