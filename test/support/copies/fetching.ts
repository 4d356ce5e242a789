import { SYSTEM_CLOCK } from "../../../src/clock.ts";
import { CopyRoom } from "../../../src/copies/copy-room.ts";
import { extractPage } from "../../../src/copies/extraction/extract-page.ts";
import type { Extractor } from "../../../src/copies/extraction/extraction-process.ts";
import { type FetchingParts, fetchJob } from "../../../src/copies/fetching/fetch-job.ts";
import { HostPace } from "../../../src/copies/fetching/host-pace.ts";
import { FETCH_JOB } from "../../../src/copies/fetching/request-fetch.ts";
import { CopyKeeper } from "../../../src/copies/keep-copy.ts";
import { finishJob, leaseDueJob } from "../../../src/jobs/job-store.ts";
import type { Network } from "../../../src/outbound/fetch-public.ts";
import { makeAccount, makeToken, withHeaders } from "../records/accounts.ts";
import type { TestApp } from "../server/app.ts";

/** Extracts a page in the process of the test. */
export const ownExtractor: Pick<Extractor, "extract" | "sanitize"> = {
  extract: async (bytes, url, contentType) => extractPage(bytes, url, contentType),
  sanitize: async (html, url) => extractPage(Buffer.from(html), url, "text/html; charset=utf-8", true),
};

/** An application whose pages are fetched when the test says so, from the sites of a network. */
export async function fetchingFrom(app: TestApp, network: Network, extractor: FetchingParts["extractor"]) {
  const { database } = app;
  const account = await makeAccount(database, "ada");
  const token = await makeToken(database, account, { scopes: ["bookmarks:read", "bookmarks:write"] });
  const send = withHeaders(app.request, { authorization: `Bearer ${token}` });
  /** Milliseconds that a page had to wait for its host. */
  const waits: number[] = [];
  const places = { database, objects: undefined, room: new CopyRoom(database, 1e9) };
  const job = fetchJob({
    ...{ ...places, network, extractor },
    keeper: new CopyKeeper(places),
    pace: new HostPace({ now: () => 0, wait: async (milliseconds) => void waits.push(milliseconds) }),
    language: async () => "de-AT",
  });

  /** Runs the job that waits, also one for another attempt. */
  async function run(signal = new AbortController().signal): Promise<void> {
    const now = new Date(SYSTEM_CLOCK.now().getTime() + 1e8);
    const leased = await leaseDueJob(database, [FETCH_JOB], now, now);
    if (leased === undefined) throw new Error("no job waits");
    await job.run(leased, signal);
    await database.write((sql) => finishJob(sql, leased, undefined));
  }

  async function newBookmark(url: string): Promise<number> {
    const body = JSON.stringify({ title: "A link", url, description: "" });
    const headers = { "content-type": "application/json" };
    const response = await send("/bookmarks/", { method: "POST", body, headers });
    return ((await response.json()) as { id: number }).id;
  }

  /** Makes a bookmark, and asks for its page. */
  async function ask(url: string): Promise<number> {
    const id = await newBookmark(url);
    const response = await send(`/bookmarks/${id}/copies/`, { method: "POST" });
    if (response.status !== 202) throw new Error(`The page was not asked for: ${await response.text()}`);
    return id;
  }

  async function copiesOf(id: number): Promise<Record<string, unknown>[]> {
    return (await (await send(`/bookmarks/${id}/copies/`)).json()) as Record<string, unknown>[];
  }

  async function failureOf(id: number): Promise<string | undefined> {
    const [row] = await database.read<{ reason: string }>`
      select reason from copy_failures where bookmark_id = ${id}`;
    return row?.reason;
  }

  /** How many jobs wait. */
  async function waiting(): Promise<number> {
    return (await database.read`select 1 from jobs where kind = ${FETCH_JOB}`).length;
  }

  return { send, waits, run, newBookmark, ask, copiesOf, failureOf, waiting };
}
