import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import type { ResponseData, StreamedResponseData } from "../../http/response-data.ts";
import { downloadHeaders } from "../../web/download.ts";
import type { Pages } from "../../web/page.tsx";
import { writeEverything } from "../everything/write-everything.ts";
import { EXPORTING } from "./everything-access.ts";
import { OneAtATime } from "./one-at-a-time.ts";

export interface EverythingDependencies {
  readonly pages: Pages;
  readonly database: Database;
  readonly databaseUrl: string;
}

/**
 * How long a second archive waits for the first, in milliseconds. A second click ends the first request, so that it soon
 * has its turn.
 */
const WAIT = 5_000;

/** A form without fields. */
const Nothing = z.object({});

/** The downloads of everything, for accounts only. They are forms, since a link could be followed without its reader's will. */
export function everythingPages({ pages, database, databaseUrl }: EverythingDependencies) {
  const making = new OneAtATime(WAIT, stillBusy);

  const archive = pages.page(
    { access: EXPORTING, body: Nothing, isSlow: true },
    async ({ request }): Promise<ResponseData> => {
      const { makeArchiveFile } = await import("../archive/make-archive-file.ts");
      const now = new Date();
      const file = await making.do(() => makeArchiveFile(databaseUrl, request.signal, now));
      return {
        status: 200,
        contentType: "application/zip",
        headers: downloadHeaders(`${nameAt(now)}.zip`),
        body: file.toBody(),
      };
    },
  );

  const json = pages.page(
    { access: EXPORTING, body: Nothing },
    async (): Promise<StreamedResponseData> => ({
      status: 200,
      contentType: "application/json",
      headers: downloadHeaders(`${nameAt(new Date())}.json`),
      body: writeEverything(database.read, { bookmarks: 0, posts: 0, comments: 0 }),
    }),
  );

  return { archive, json };
}

function nameAt(now: Date): string {
  return `commonplace-${now.toISOString().slice(0, 10)}`;
}

function stillBusy(): Refusal {
  return new Refusal("unavailable", "Another file of everything is being prepared: try again in a moment.", {
    retryAfter: 10,
  });
}
