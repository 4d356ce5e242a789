import type { Database } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import type { Routes } from "../../http/endpoint.ts";
import type { ResponseData, StreamedResponseData } from "../../http/response-data.ts";
import type { ObjectStore } from "../../media/object-store.ts";
import { timeLimit } from "../../time-limit.ts";
import { downloadHeaders } from "../../web/download.ts";
import type { Pages } from "../../web/page.tsx";
import { noneWritten, writeFullJson } from "../full-json/write-full-json.ts";
import { EXPORTING } from "./full-export-access.ts";
import { OneAtATime } from "./one-at-a-time.ts";

export interface FullExportDependencies {
  readonly pages: Pages;
  readonly database: Database;
  readonly databaseUrl: string;
  /** The store of images beside the database. */
  readonly objects: ObjectStore | undefined;
}

/**
 * How long a second archive waits for the first, in milliseconds. A second click ends the first request, so that it soon
 * has its turn.
 */
const WAIT = 5_000;

/** The downloads of a full export, for accounts only. They are forms, since a reader could follow a link by accident. */
export function fullExportPages({ pages, database, databaseUrl, objects }: FullExportDependencies): Routes {
  const making = new OneAtATime(timeLimit(WAIT), stillBusy);

  const archive = pages.page(
    { access: EXPORTING, takesTokens: true, isSlow: true },
    async ({ request }): Promise<ResponseData> => {
      const { makeArchiveFile } = await import("../archive/make-archive-file.ts");
      const now = database.clock.now();
      const file = await making.do(() => makeArchiveFile(databaseUrl, request.signal, now, objects));
      return {
        status: 200,
        contentType: "application/zip",
        headers: downloadHeaders(`${nameAt(now)}.zip`),
        body: file.toBody(),
      };
    },
  );

  const json = pages.page(
    { access: EXPORTING, takesTokens: true },
    async (): Promise<StreamedResponseData> => ({
      status: 200,
      contentType: "application/json",
      headers: downloadHeaders(`${nameAt(database.clock.now())}.json`),
      body: writeFullJson(database.readMany, noneWritten()),
    }),
  );

  return {
    "/library/export/everything.zip": { POST: archive },
    "/library/export/everything.json": { POST: json },
  };
}

function nameAt(now: Date): string {
  return `commonplace-${now.toISOString().slice(0, 10)}`;
}

function stillBusy(): Refusal {
  return new Refusal("unavailable", "Another full export is being prepared. Try again in a moment.", {
    retryAfter: 10,
  });
}
