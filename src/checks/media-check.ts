import type { Inspection } from "../database/inspection.ts";
import { messageOf } from "../errors.ts";
import { type ObjectStore, objectName } from "../media/object-store.ts";
import type { Finding } from "./finding.ts";

/** The number of objects that are read at a time. */
const AT_ONCE = 8;

/** The names of all objects that images and copies of pages have beside the database. */
export async function storedObjects({ sql }: Inspection): Promise<string[]> {
  const rows = await sql<{ object: string }>`
    select object from media_forms where object is not null
    union select object from copy_blobs where object is not null order by object`;
  return rows.map(({ object }) => object);
}

/**
 * Reads every object of the images beside the database, and compares it with its name. Nothing is said of a database
 * that has all its images, unless there is a store to try.
 */
export async function checkMedia(
  names: readonly string[],
  objects: ObjectStore | undefined,
): Promise<Finding[]> {
  const problem = (detail: string): Finding[] => [{ check: "media", status: "problem", detail }];
  if (objects === undefined)
    return names.length === 0
      ? []
      : problem(`${count(names.length)} of images are in an object store, and MEDIA is not set`);
  const wrong = { missing: [] as string[], changed: [] as string[] };
  try {
    // An object that cannot be there shows whether the store can be reached and the bucket exists.
    if (names.length === 0) await objects.get(objectName(new Uint8Array()));
    for (let at = 0; at < names.length; at += AT_ONCE)
      await Promise.all(
        names.slice(at, at + AT_ONCE).map(async (name) => {
          const bytes = await objects.get(name);
          if (bytes === undefined) wrong.missing.push(name);
          else if (objectName(bytes) !== name) wrong.changed.push(name);
        }),
      );
  } catch (error) {
    return problem(`the object store cannot be read: ${reasonOf(error)}`);
  }
  const findings = Object.entries(wrong).flatMap(([how, which]) =>
    which.length === 0 ? [] : problem(`${count(which.length)} of images ${how}, such as ${which[0]}`),
  );
  if (findings.length > 0) return findings;
  return [
    { check: "media", status: "ok", detail: `${count(names.length)} of images are as they were stored` },
  ];
}

function count(n: number): string {
  return n === 1 ? "1 object" : `${n} objects`;
}

function reasonOf(error: unknown): string {
  return messageOf(error instanceof Error && error.cause instanceof Error ? error.cause : error);
}
