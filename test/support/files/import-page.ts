import type { Database } from "../../../src/database/database.ts";
import { runImport } from "../../../src/imports/import-job.ts";
import { IMPORT_JOB } from "../../../src/imports/uploads.ts";
import type { Network } from "../../../src/outbound/fetch-public.ts";
import type { BRINGING } from "../../../src/transfer/pictures/bring-pictures.ts";
import { until } from "../machine/until.ts";
import { makeAccount, makeSession, withHeaders } from "../records/accounts.ts";
import { submit } from "../requests/forms.ts";
import type { AppService } from "../server/contract.ts";
import { importParts } from "./import-parts.ts";

/** The page that imports blogs, on a new server with the session of an account. */
export async function importPage(
  service: AppService,
  settings: Readonly<Record<string, string>> = { BOOKMARKS_ACCESS: "private" },
) {
  const app = await service.startApp(settings);
  const { database } = app;
  const account = await makeAccount(database, "ada");
  const send = withHeaders(app.request, { cookie: await makeSession(database, account) });
  const page = async (path: string) => (await send(path)).text();
  const upload = (bytes: Uint8Array | string, name = "blog.zip") => {
    const body = new FormData();
    body.set("file", new File([bytes], name));
    return send("/write/import", { method: "POST", body, headers: { "sec-fetch-site": "same-origin" } });
  };
  const runJob = async (
    path: string,
    {
      signal = new AbortController().signal,
      on = database,
      attempts = 1,
      network,
      limits,
    }: {
      signal?: AbortSignal;
      on?: Database;
      attempts?: number;
      network?: Network;
      limits?: typeof BRINGING;
    } = {},
  ) => {
    const key = path.split("/").at(-1) ?? "";
    const [job] = await database.read<{
      payload: string;
      requests: number;
    }>`select payload, requests from jobs where key = ${key} and kind = ${IMPORT_JOB}`;
    const leased = {
      key,
      attempts,
      requests: Number(job?.requests),
      payload: JSON.parse(job?.payload ?? "{}"),
    };
    return runImport(importParts(on, settings), leased, signal, network, limits);
  };
  /** Uploads a file, reads its preview and imports it. @returns the path of the import, and the preview */
  const importAll = async (bytes: Uint8Array) => {
    const path = (await upload(bytes)).headers.get("location") ?? "";
    let preview = "";
    // The page of a file that takes long to read, as on a busy machine, says so until then.
    await until("the file is read", async () => {
      preview = await page(path);
      return !preview.includes("<running-job>");
    });
    await submit(send, path, {});
    await runJob(path);
    return { path, preview };
  };
  return { ...app, account, send, page, upload, runJob, importAll };
}
