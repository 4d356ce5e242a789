import { z } from "zod";
import { parseInstant } from "../instant.ts";
import { tagKey } from "../tags/tag-name.ts";
import { asIssue, text } from "../text.ts";
import { parseWebUrl, TITLE_MAX } from "./bookmark-members.ts";
import { AUTHOR_MAX, COMMENT_MAX, CommentStatus } from "./comment-members.ts";
import { parseEditKey } from "./edit-key.ts";
import { PUBLICATION_MEMBERS } from "./publication-members.ts";
import { REDIRECT_MAX } from "./redirect-path.ts";

/**
 * The records of an import in the format of our own archive (docs/archive-format.md), whatever the format of the
 * file. Dates are RFC 3339 texts; authors are names of accounts.
 */

/** An instant within the years 1970 to 9999; the parsed value is in UTC with milliseconds. */
const instant = z.string().transform((input, context) => {
  const date = parseInstant(input);
  if (date !== undefined) return date.toISOString();
  const detail = "Must be an RFC 3339 date and time of the years 1970 to 9999.";
  context.issues.push(asIssue({ code: "datetime_invalid", detail }, input));
  return z.NEVER;
});

const webUrl = z.string().transform((input, context) => {
  const parsed = parseWebUrl(input);
  if ("href" in parsed) return parsed.href;
  context.issues.push(asIssue(parsed.error, input));
  return z.NEVER;
});

const optionalUsername = text({ min: 1, max: 64 }).nullable().default(null);
/** The version of a record: one higher after each change. */
const recordVersion = z
  .int()
  .min(1)
  .max(2 ** 40);

export const SettingRecord = z.object({
  name: text({ min: 1, max: 100 }),
  value: z.json(),
  updated_at: instant,
});

export const TagRecord = z.object({
  name: text({ min: 1, max: 200 }).refine((name) => tagKey(name) !== "", "Not a tag."),
  created_at: instant,
});

export const BookmarkRecord = z.object({
  title: text({ max: TITLE_MAX }),
  url: webUrl,
  description: text().default(""),
  created_at: instant,
  updated_at: instant,
  created_by: optionalUsername,
  version: recordVersion.default(1),
  unread: z.boolean().default(false),
  archived: z.boolean().default(false),
  shared: z.boolean().default(false),
  states_updated_at: instant.nullable().default(null),
  folders: z
    .array(text({ max: 1_000 }))
    .max(100)
    .default([]),
});

const { kind, link, summary, tags, language, image, canonical_url } = PUBLICATION_MEMBERS;

export const PublicationRecord = z.object({
  kind: kind.default("post"),
  link: link.default(null),
  /** An invalid or taken slug is replaced by another one. */
  slug: text({ min: 1, max: 500 }).nullable().default(null),
  summary: summary.default(null),
  tags: tags.default([]),
  publish_at: instant.nullable().default(null),
  language: language.default(null),
  image: image.default(null),
  canonical_url: canonical_url.default(null),
});

export const PostRecord = z.object({
  title: text({ min: 1, max: 500 }),
  content: text(),
  published: z.boolean(),
  created_at: instant,
  updated_at: instant,
  published_at: instant.nullable(),
  created_by: optionalUsername,
  version: recordVersion.default(1),
  publication: PublicationRecord.nullable(),
  former_slugs: z
    .array(text({ min: 1, max: 500 }))
    .max(1_000)
    .default([]),
  /** Its paths on other sites, which redirect here. */
  redirects: z
    .array(text({ min: 1, max: REDIRECT_MAX }))
    .max(1_000)
    .default([]),
  /** Properties from other programs without an equivalent here: lists of values by name. */
  properties: z.record(text({ min: 1, max: 200 }), z.array(z.json())).default({}),
});

export const VersionRecord = z.object({
  number: z
    .int()
    .min(1)
    .max(2 ** 40),
  title: text({ max: 500 }),
  content: text(),
  published: z.boolean(),
  replaced_at: instant,
  replaced_by: optionalUsername,
});

export const CommentRecord = z.object({
  author: text({ min: 1, max: AUTHOR_MAX }),
  text: text({ min: 1, max: COMMENT_MAX }),
  status: CommentStatus,
  created_at: instant,
  created_by: optionalUsername,
  reasons: text({ max: 1_000 }).nullable().default(null),
  /** The reference of the comment to which it replies: in our own formats its id. */
  parent: z
    .union([z.int().min(1).transform(String), text({ min: 1, max: 500 })])
    .nullable()
    .default(null),
});

export const EditRecord = z.object({
  key: z.string().refine((key) => parseEditKey(key) === key, "A UUID in lower case."),
  base_version: recordVersion.nullable().default(null),
  title: text({ max: 5_000 }),
  content: text(),
  fields: z.record(text({ min: 1, max: 64 }), text({ max: 10_000 })).default({}),
  version: recordVersion.default(1),
  created_at: instant,
  updated_at: instant,
  created_by: optionalUsername,
});

export const ImageRecord = z.object({
  sha: z.string().regex(/^[0-9a-f]{40}$/),
  type: z.enum(["jpg", "png", "webp"]),
  width: z.int().min(1).max(100_000),
  height: z.int().min(1).max(100_000),
  created_at: instant,
  created_by: optionalUsername,
});

/** The icon of a site, as base64. */
export const IconRecord = z.object({
  host: text({ min: 1, max: 500 }),
  large: z.base64().max(4_000),
  read_at: instant,
});

/**
 * All kinds of records, in the order of the archive's files; `importAllRecords` says in which order they are imported. A file
 * that waits for its import has their positions here, so a new kind goes to the end.
 */
export const RECORDS = {
  setting: SettingRecord,
  tag: TagRecord,
  image: ImageRecord,
  icon: IconRecord,
  bookmark: BookmarkRecord,
  post: PostRecord,
  version: VersionRecord,
  comment: CommentRecord,
  edit: EditRecord,
} as const;

export type RecordKind = keyof typeof RECORDS;
export const RECORD_KINDS = Object.keys(RECORDS) as RecordKind[];

/** A checked record of a kind. */
export type RecordOf<K extends RecordKind> = z.output<(typeof RECORDS)[K]>;
/** A record of a kind as read from a file. */
export type RawRecord<K extends RecordKind> = z.input<(typeof RECORDS)[K]>;

/** The location of a record in its archive or folder. */
export interface RecordLocation {
  /** The path of the file within the archive or folder, or the name of a single file. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/** The title of a record in reports. */
export function titleOf<K extends RecordKind>(kind: K, record: RawRecord<K>): string {
  const given = record as Readonly<Record<string, unknown>>;
  const name =
    { setting: "name", tag: "name", image: "sha", icon: "host", comment: "author" }[kind as string] ??
    "title";
  const found = given[name] ?? given.url;
  return typeof found === "string"
    ? [...found.slice(0, 400)].slice(0, 200).join("").toWellFormed().replaceAll("\0", "")
    : "";
}
