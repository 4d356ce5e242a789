import { createHash } from "node:crypto";
import { StartError } from "../../errors.ts";
import type { ImageType, MediaVariant } from "../../media/media.ts";
import { smallerWidths } from "../../media/media.ts";
import { printable } from "../../printable.ts";
import { type FileTree, linesOf, readTreeFile } from "../files/file-tree.ts";
import type { LastIds } from "../import/import-run.ts";
import { ImageRecord, RECORD_KINDS, type RecordKind, type RecordLocation } from "../import/record.ts";
import type { UncheckedRecord } from "../import/staged-record.ts";
import type { StagedRecords } from "../import/staged-records.ts";
import { ARCHIVE_VERSION, imageFile, MANIFEST, Manifest, RECORD_FILES } from "./archive-format.ts";

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
  for (const kind of RECORD_KINDS)
    if (tree.sizes.has(RECORD_FILES[kind])) await readRecords(tree, kind, records);
  return Object.fromEntries(Object.entries(last_ids).filter(([, id]) => id !== undefined));
}

async function readManifest(tree: FileTree) {
  const bytes = await readTreeFile(tree, MANIFEST, MANIFEST_MAX);
  try {
    return Manifest.parse(JSON.parse(bytes.toString()));
  } catch (error) {
    throw new StartError(`${MANIFEST} is damaged: it does not describe the archive.`, 2, error);
  }
}

async function readRecords<K extends RecordKind>(
  tree: FileTree,
  kind: K,
  records: StagedRecords,
): Promise<void> {
  const file = RECORD_FILES[kind];
  for await (const { line, text } of linesOf(tree, file)) {
    if (text.trim() === "") continue;
    const location = { file, line };
    const { id, post, ...record } = parsed(text, location);
    if (kind === "image") {
      await readImage(tree, records, record, location);
      continue;
    }
    const hasId = Number.isSafeInteger(id) && Number(id) > 0;
    records.add(kind, {
      record: record as unknown as UncheckedRecord<K>["record"],
      location,
      parent: typeof post === "number" ? String(post) : null,
      ...(hasId && { ref: String(id), id: Number(id) }),
    });
  }
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

/** Stages an image unchanged if its bytes match its hash, type and size; refuses it otherwise. */
async function readImage(
  tree: FileTree,
  records: StagedRecords,
  record: Readonly<Record<string, unknown>>,
  location: RecordLocation,
): Promise<void> {
  const checked = ImageRecord.safeParse(record);
  if (!checked.success) {
    records.add("image", { record: record as UncheckedRecord<"image">["record"], location });
    return;
  }
  const { sha, type, width, height, created_at, created_by } = checked.data;
  const forms: MediaVariant[] = [];
  for (const formWidth of [...smallerWidths(width), width]) {
    const path = imageFile(sha, type, formWidth === width ? undefined : formWidth);
    const bytes = tree.sizes.has(path) ? await readTreeFile(tree, path, IMAGE_MAX) : undefined;
    const isWhole = formWidth === width;
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
  const size = forms.at(-1)?.bytes.length ?? 0;
  records.addImage(
    { media: { sha, type, width, height, size }, forms },
    location,
    new Date(created_at),
    created_by,
  );
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
