import { z } from "zod";
import type { Awaitable } from "../awaitable.ts";
import type { Database } from "../database/database.ts";
import { invalid, Refusal } from "../errors.ts";
import type { Access, AccessPolicy } from "../http/access.ts";
import { MULTIPART_BODY } from "../http/body/body-decoders.ts";
import type { MarkPlace } from "../transfer/import/keep-marks.ts";
import { FormState } from "../web/forms/form-state.ts";
import type { Messages } from "../web/messages/en.ts";
import type { PageContext, Pages } from "../web/page.tsx";
import { local, type SafeUrl, segment } from "../web/urls.ts";
import { seeOther, type View } from "../web/view.ts";
import { isFetching, stopFetching } from "./fetched-pictures.ts";
import { startImport } from "./import-job.ts";
import { missingImportView } from "./missing-import.tsx";
import { awaitPreview } from "./previews.ts";
import { type ImportProgress, readingView, runningView } from "./progress-view.tsx";
import {
  awaitEnd,
  deleteUnread,
  findUpload,
  findUploadOfJob,
  IMPORT_JOB,
  isUnread,
  READING_JOB,
  type RequestedImport,
  SMALL_READING_JOB,
  storeUpload,
  tooManyUploads,
  troubleOf,
  type Upload,
  type UploadKind,
  uploadName,
} from "./uploads.ts";

/** The maximum size of an uploaded file, in bytes; larger ones need the command line. */
export const UPLOAD_MAX = 32 * 1024 * 1024;

export interface ImportDependencies {
  readonly pages: Pages;
  readonly database: Database;
  /** Makes a requested background job start at once: one that imports, or one that reads a file. */
  readonly wakeJobs?: (() => void) | undefined;
  readonly wakeReadings?: (() => void) | undefined;
}

type ImportSteps = Pick<ImportProgress, "progress" | "done" | "total">;

/** One of the two places where files are imported: bookmarks in the library, a blog or an archive beside the posts. */
export interface ImportPlace {
  readonly kind: UploadKind;
  readonly below: "/library/import" | "/write/import";
  readonly access: Access | AccessPolicy;
  /** The name of a file without one. */
  readonly unnamed: string;
  /** What the marks of a file become that a caller imports. */
  markPlace?(context: Pick<PageContext, "request" | "stamp" | "caller">): Awaitable<MarkPlace>;
  /** The page on which a file is chosen. @param advice what to do when another file of the kind does not help */
  choose(context: PageContext, form: FormState, advice?: string): Promise<View>;
  preview(context: PageContext, upload: Upload, requested: RequestedImport): Promise<View>;
  done(context: PageContext, upload: Upload): Promise<View>;
  /** How far the reading of a file, and its import is, in words. */
  reading(messages: Messages, upload: Upload): ImportSteps;
  importing(messages: Messages, upload: Upload): ImportSteps;
}

/** Where files of the other kind are imported. */
const OTHER_PLACE = { bookmarks: "/write/import", blog: "/library/import" } as const;

const ticked = z.string().optional();

/** The key of a file, or the number of an import. */
export const KeyParams = z.object({ key: z.string() });
const UploadForm = z.object({ file: z.instanceof(File).optional().catch(undefined) });
/** The options of the import; before the form was sent, its defaults. */
const PreviewQuery = z.object({ looked: ticked, tags: ticked, update: ticked });
const ImportForm = z.object({
  ...{ tags: ticked, update: ticked, look: ticked, cancel: ticked, pictures: ticked, drafts: ticked },
});

/** The number of an import. */
export const ImportParams = z.object({
  key: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
});

/** From the upload of a file to the result of its import. */
export function importPages(dependencies: ImportDependencies, place: ImportPlace) {
  const { pages, database, wakeJobs, wakeReadings } = dependencies;
  const { access, kind, below } = place;
  const otherPlace = OTHER_PLACE[kind];
  const find = (key: string) => findUpload(database.read, kind, key, database.clock.now());
  const urlOf = (key: string): SafeUrl => local(`${below}/${segment(key)}`);
  const missing = (context: PageContext) => missingImportView(context, local(below));

  /** Whether a file turned out to be of the other kind. */
  const isOfOther = async (key: string) =>
    pages.hasPage(otherPlace) &&
    ((await findUploadOfJob(database.read, key, database.clock.now()))?.kind ?? kind) !== kind;

  const upload = pages.page(
    {
      access,
      body: UploadForm,
      takes: [MULTIPART_BODY],
      bodyLimit: UPLOAD_MAX,
      enter: () => waitingUploads.enter(),
      again: (refused) => place.choose(refused, refused.form),
      tooLarge: (context) => tooLargeView(place, context),
    },
    async ({ body: { file }, caller }) => {
      if (file === undefined || file.size === 0) throw wrongFile("Choose a file.");
      const bytes = new Uint8Array(await file.arrayBuffer());
      const fileName = uploadName(file, place.unnamed);
      // A blog is for accounts alone.
      const mayBeOther = caller.account !== undefined && pages.hasPage(otherPlace);
      const accountId = caller.account?.id ?? null;
      const key = await storeUpload(database, { kind, fileName, bytes, mayBeOther, accountId });
      wakeReadings?.();
      const read = await awaitEnd(database, key, ["uploaded", "reading"]);
      if (read?.refusal === undefined) return seeOther(urlOf(key));
      await database.write((sql) => deleteUnread(sql, key));
      throw wrongFile(read.refusal);
    },
  );

  const look = pages.page({ access, params: KeyParams, query: PreviewQuery, missing }, async (call) => {
    const { params, query, messages } = call;
    if (await isOfOther(params.key)) return seeOther(local(`${otherPlace}/${segment(params.key)}`));
    const found = await find(params.key);
    const { key, fileName } = found;
    const url = urlOf(key);
    const trouble = (...jobs: string[]) =>
      troubleOf(database.read, jobs, key, messages.library.importing.retryingUnknown);
    switch (found.state) {
      case "uploaded":
      case "reading":
        // Perhaps it waits since its process was killed.
        wakeReadings?.();
        return readingView(call, {
          ...{ fileName, url, ...place.reading(messages, found) },
          trouble: await trouble(READING_JOB, SMALL_READING_JOB),
        });
      case "refused": {
        const view = await place.choose(call, FormState.unread("file", found.refusal ?? ""));
        return { ...view, title: messages.errorTitle(view.title) };
      }
      case "importing": {
        wakeJobs?.();
        return runningView(call, {
          ...{ fileName, url, ...place.importing(messages, found) },
          trouble: await trouble(IMPORT_JOB),
          canStop: isFetching(found),
        });
      }
      case "done":
        return place.done(call, found);
      default:
        if (!(await awaitPreview(database, found, call.caller.account?.id ?? null, wakeReadings)))
          return readingView(call, {
            ...{ fileName, url, ...place.reading(messages, { ...found, state: "uploaded" }) },
            trouble: await trouble(READING_JOB),
          });
        return place.preview(call, found, {
          tags: query.looked === undefined || query.tags !== undefined,
          rule: query.update === undefined ? "skip" : "update",
        });
    }
  });

  const start = pages.page({ access, params: KeyParams, body: ImportForm, missing }, async (call) => {
    const { params, body, caller } = call;
    const { tags, update, look, cancel, pictures, drafts } = body;
    const here = `${below}/${segment(params.key)}` as const;
    if (look !== undefined) return seeOther(local(here, { looked: 1, tags, update }));
    const found = await find(params.key);
    if (cancel !== undefined) {
      // The reading may have ended meanwhile; then nothing is imported either.
      await database.write((sql) => deleteUnread(sql, found.key));
      return seeOther((await stopFetching(database, found.key)) ? local(here) : local(below));
    }
    if (isUnread(found)) return seeOther(local(here));
    const requested = { tags: tags !== undefined, rule: update === undefined ? "skip" : "update" } as const;
    const chosen = { pictures: pictures !== undefined, drafts: drafts !== undefined };
    const by = { accountId: caller.account?.id ?? null, marks: await place.markPlace?.(call), ...chosen };
    if ((await startImport(database, found, requested, by)) && wakeJobs) {
      wakeJobs();
      await awaitEnd(database, found.key, ["importing"]);
    }
    return seeOther(local(here));
  });

  return { upload, look, start };
}

/** The page after a file that was too large to be read. */
function tooLargeView(place: ImportPlace, context: PageContext): Promise<View> {
  const { tooLarge, chooseSmaller } = context.messages.library.importing;
  return place.choose(context, FormState.unread("file", tooLarge(UPLOAD_MAX / 2 ** 20)), chooseSmaller);
}

/** A file whose records a report can show. @throws Refusal `not_found` */
export async function findRead(
  { read, clock }: Pick<Database, "read" | "clock">,
  kind: UploadKind,
  key: string,
): Promise<Upload> {
  const found = await findUpload(read, kind, key, clock.now());
  if (isUnread(found)) throw new Refusal("not_found", "The file was not read yet.");
  return found;
}

function wrongFile(detail: string): Refusal {
  return invalid([{ pointer: "/file", code: "wrong_type", detail }]);
}

/** How many files may be uploaded at once: each is in memory until it is stored. */
const PLACES = 10;

/** The uploads of files to import: each has its place before its body is read; when there is none, it is refused early. */
export class WaitingUploads {
  #places = PLACES;

  /** Takes a place for an upload. @throws Refusal `unavailable` when all are taken */
  enter(): Disposable {
    if (this.#places === 0) throw tooManyUploads();
    this.#places--;
    return {
      [Symbol.dispose]: () => {
        this.#places++;
      },
    };
  }
}

/** Those of this process. */
export const waitingUploads = new WaitingUploads();
