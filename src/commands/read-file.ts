import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import {
  FILES,
  type ReadingMessage,
  type ReadingOrder,
  resultOf,
} from "../bookmarks/import/apart/read-apart.ts";
import { type FileBytes, fileAt, watchedFile } from "../bookmarks/import/file-bytes.ts";
import { stageImport } from "../bookmarks/import/staging/import-staging.ts";
import { isOfSize } from "../media/media-store.ts";
import { stageSite } from "../transfer/stage-site.ts";

/** The shortest time between two messages of how far it is, in milliseconds. */
const TELL_EVERY = 50;

/**
 * The process that reads a file for a server (`bookmarks/import/apart/`).
 * @param folder has the file and the order; the records and the result are put there
 */
export async function readFile(folder: string): Promise<void> {
  const server = process.ppid;
  const order = JSON.parse(readFileSync(join(folder, FILES.order), "utf8")) as ReadingOrder;
  const descriptor = openSync(join(folder, FILES.input), "r");
  const file = fileAt(fstatSync(descriptor).size, (buffer, position) =>
    readSync(descriptor, buffer, 0, buffer.length, position),
  );
  const scratch = join(folder, FILES.scratch);
  const read = order.kind === "bookmarks" ? readBookmarks : readSite;
  // biome-ignore lint/suspicious/noExplicitAny: each takes the order of its kind
  const result = await read(file, order as any, scratch).then((staged) => ({ staged }), resultOf);
  writeFileSync(join(folder, FILES.result), JSON.stringify(result), { mode: 0o600 });
  closeSync(descriptor);
  // Nobody will take it.
  if (process.ppid !== server) rmSync(folder, { recursive: true, force: true });
}

type OrderOf<K> = Extract<ReadingOrder, { readonly kind: K }>;

async function readBookmarks(
  file: FileBytes,
  { fileName, now, tags }: OrderOf<"bookmarks">,
  scratch: string,
): Promise<unknown> {
  const tell = sparingly();
  const staged = await stageImport(fileName, file, {
    now: new Date(now),
    tags,
    scratch,
    onProgress: (done, total) => tell({ progress: [done, total] }),
  });
  staged.rows.keep();
  const { format, rowUnit, encoding, notes, toolbar } = staged;
  return { format, rowUnit, encoding, notes, toolbar };
}

async function readSite(
  file: FileBytes,
  { fileName, now, unpackedMax, imageSizes }: OrderOf<"site">,
  scratch: string,
): Promise<unknown> {
  const tell = sparingly();
  const site = await stageSite(
    watchedFile(file, (start, end) => send({ read: [start, end] })),
    {
      ...{ fileName, now: new Date(now), unpackedMax, scratch },
      onRecord: (records) => tell({ records }),
      ...(imageSizes && {
        isPreview: true,
        mayHaveImage: async (size) => imageSizes.some((known) => isOfSize(known, size)),
      }),
    },
  );
  if (site === undefined) return null;
  site.records.keep();
  return { format: site.format, lastIds: site.lastIds };
}

/** Sends a message unless one was sent just before. */
function sparingly(): (message: ReadingMessage) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (message) => {
    const now = performance.now();
    if (now - last < TELL_EVERY) return;
    last = now;
    send(message);
  };
}

function send(message: ReadingMessage): void {
  // A server that is slow misses a message, and one that has ended all of them.
  try {
    writeSync(1, `${JSON.stringify(message)}\n`);
  } catch {}
}
