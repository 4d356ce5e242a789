import { z } from "zod";

/** The version of the archive's format (docs/archive-format.md). Readers accept this and earlier versions. */
export const ARCHIVE_VERSION = 1;

/** The file that identifies a zip archive as ours. */
export const MANIFEST = "commonplace.json";

export const Manifest = z.object({
  format: z.literal("commonplace"),
  version: z.int().min(1),
  program: z.string(),
  exported_at: z.string(),
  /** The last ids assigned by the database, by table, from which a new one continues. */
  last_ids: z.record(z.string(), z.int().min(0)).default({}),
});
export type Manifest = z.input<typeof Manifest>;
