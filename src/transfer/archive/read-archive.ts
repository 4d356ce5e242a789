import { createHash } from "node:crypto";
import { Refusal, StartError } from "../../errors.ts";
import type { Archived } from "../../kept/kept.ts";
import { acceptImage, SIDE_MAX } from "../../media/accept-image.ts";
import { isBareImage } from "../../media/bare-image.ts";
import { imageFile } from "../../media/kept.ts";
import type { ImageType, MediaVariant } from "../../media/media.ts";
import { smallerWidths } from "../../media/media.ts";
import { ARCHIVED, archived, titleOf } from "../../nouns.ts";
import { printable } from "../../printable.ts";
import { type FileTree, linesOf, readTreeFile } from "../../readers/files/file-tree.ts";
import { ImageRecord, type RecordLocation } from "../../records/record.ts";
import type { LastIds } from "../import/file-facts.ts";
import type { StagedRecords } from "../import/staged-records.ts";
import { ARCHIVE_VERSION, MANIFEST, Manifest } from "./archive-format.ts";

const MANIFEST_MAX = 1024 * 1024;
const IMAGE_MAX = 64 * 1024 * 1024;
/** The encoded format of each image type. */
const FORMATS: Readonly<Record<ImageType, string>> = { jpg: "jpeg", png: "png", webp: "webp" };

/** Whether an archive has our own format. */
export function isArchive({ sizes }: FileTree): boolean {
  return sizes.has(MANIFEST);
}

/**
 * Reads and checks all records of an archive.
 * @returns the last ids of the database that it came from
 * @throws StartError when it is damaged, or of a newer version
 */
export async function readArchive(tree: FileTree, records: StagedRecords): Promise<LastIds> {
  const { version, last_ids } = await readManifest(tree);
  if (version > ARCHIVE_VERSION)
    throw new StartError(
      `The archive has version ${version} of the format, which needs a newer version of commonplace.`,
      2,
    );
  const renamed = new Map<string, string>();
  // Images first, since they may get new names, which the other records then use.
  for (const noun of [archived("image"), ...ARCHIVED.filter(({ kind }) => kind !== "image")])
    if (tree.sizes.has(noun.archive.file)) await readRecords(tree, noun, records, renamed);
  const tables = new Set(ARCHIVED.map(({ archive }) => archive.table));
  return Object.fromEntries(Object.entries(last_ids).filter(([table]) => tables.has(table)));
}

async function readManifest(tree: FileTree) {
  const bytes = await readTreeFile(tree, MANIFEST, MANIFEST_MAX);
  try {
    return Manifest.parse(JSON.parse(bytes.toString()));
  } catch (error) {
    throw new StartError(`${MANIFEST} is damaged: it does not describe the archive.`, 2, error);
  }
}

/** @param renamed the new names of images by those in the archive */
async function readRecords(
  tree: FileTree,
  { kind, archive }: Archived,
  records: StagedRecords,
  renamed: Map<string, string>,
): Promise<void> {
  const { file, of, shape, filesOf } = archive;
  for await (const { line, text } of linesOf(tree, file)) {
    if (text.trim() === "") continue;
    const location = { file, line };
    if (kind === "image") {
      await readImage(tree, records, parsed(text, location), location, renamed);
      continue;
    }
    const { id, ...members } = parsed(withNewNames(text, renamed), location);
    const parent = of === undefined ? undefined : members[of];
    const record = Object.fromEntries(Object.entries(members).filter(([name]) => name !== of));
    const hasId = Number.isSafeInteger(id) && Number(id) > 0;
    const checked = filesOf && shape.safeParse(record);
    const missing = checked?.success && (await readFiles(tree, filesOf?.(checked.data) ?? [], records));
    if (missing) {
      records.refuse(
        kind,
        location,
        titleOf(kind, record),
        "missing_file",
        `${missing} is not in the archive.`,
      );
      continue;
    }
    records.addLine(kind, {
      record,
      location,
      parent: typeof parent === "number" ? String(parent) : null,
      ...(hasId && { ref: String(id), id: Number(id) }),
    });
  }
}

/** Reads the files that belong to a record. @returns the path of one that is missing */
async function readFiles(
  tree: FileTree,
  files: ReturnType<NonNullable<Archived["archive"]["filesOf"]>>,
  records: StagedRecords,
): Promise<string | undefined> {
  for (const { name, path, max } of files) {
    if (!tree.sizes.has(path)) return path;
    records.addFile(name, await readTreeFile(tree, path, max));
  }
  return undefined;
}

function parsed(text: string, { file, line }: RecordLocation): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Readonly<Record<string, unknown>>;
  } catch {
    // Reported below.
  }
  throw new StartError(`${printable(file)}, line ${line}: not a JSON object. Nothing was imported.`, 2);
}

function withNewNames(text: string, renamed: ReadonlyMap<string, string>): string {
  if (renamed.size === 0) return text;
  return text.replace(/(?<=\/media\/)[0-9a-f]{40}/g, (sha) => renamed.get(sha) ?? sha);
}

/**
 * Stages an image if its bytes match its hash, type and size, and refuses it otherwise. Those that a server here has made stay as
 * they are; others are re-encoded as uploads are, and get new names.
 */
async function readImage(
  tree: FileTree,
  records: StagedRecords,
  record: Readonly<Record<string, unknown>>,
  location: RecordLocation,
  renamed: Map<string, string>,
): Promise<void> {
  const checked = ImageRecord.safeParse(record);
  if (!checked.success) {
    records.addLine("image", { record, location });
    return;
  }
  const { sha, type, width, height, created_at, created_by } = checked.data;
  const forms: MediaVariant[] = [];
  for (const formWidth of [...smallerWidths(width), width]) {
    const isWhole = formWidth === width;
    const path = imageFile(sha, type, isWhole ? undefined : formWidth);
    // An earlier program made fewer versions.
    if (!isWhole && !tree.sizes.has(path)) continue;
    const bytes = tree.sizes.has(path) ? await readTreeFile(tree, path, IMAGE_MAX) : undefined;
    const dimensions = bytes && (await readDimensions(bytes, FORMATS[type]));
    const isRight =
      dimensions?.width === formWidth &&
      (!isWhole || (dimensions.height === height && bytes !== undefined && shaOf(bytes) === sha));
    if (!isRight || bytes === undefined) {
      records.refuse(
        "image",
        location,
        sha,
        "wrong_image",
        `${path} is not the image that its record describes.`,
      );
      return;
    }
    forms.push({ width: formWidth, bytes });
  }
  const whole = forms.at(-1)?.bytes ?? new Uint8Array();
  const isOurs = Math.max(width, height) <= SIDE_MAX && forms.every(({ bytes }) => isBareImage(bytes, type));
  try {
    const accepted = isOurs
      ? { media: { sha, type, width, height, size: whole.length }, forms }
      : await acceptImage(whole);
    if (accepted.media.sha !== sha) renamed.set(sha, accepted.media.sha);
    records.addImage(accepted, location, new Date(created_at), created_by);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    records.refuse("image", location, sha, "picture_not_imported", error.message);
  }
}

function shaOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 40);
}

async function readDimensions(
  bytes: Uint8Array,
  wanted: string,
): Promise<{ readonly width: number; readonly height: number } | undefined> {
  try {
    const { format, width, height } = await new Bun.Image(bytes).metadata();
    return format === wanted ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}
