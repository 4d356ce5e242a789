import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createDatabase, sharedCluster } from "../support/databases/postgres.ts";
import { until } from "../support/machine/until.ts";
import { COLLECTION, draft, list } from "../support/records/bookmarks.ts";
import { head, RawConnection } from "../support/requests/raw-http.ts";
import { sendTo } from "../support/requests/send.ts";
import {
  type CallOptions,
  type RunningServer,
  startServer,
  temporaryFolder,
} from "../support/server/server.ts";

const body = JSON.stringify(draft);
const upload = head({
  method: "POST",
  target: COLLECTION,
  fields: { "content-type": "application/json", expect: "100-continue" },
  body,
});

describe("A server with a request in progress", () => {
  const toEnd = new AsyncDisposableStack();
  afterAll(() => toEnd.disposeAsync());

  async function postgresUrl(): Promise<string> {
    return toEnd.use(await createDatabase(await sharedCluster())).url;
  }

  for (const [situation, settings] of [
    ["one process", async () => ({})],
    ["two workers", async () => ({ WORKERS: "2", DATABASE_URL: await postgresUrl() })],
  ] as const) {
    test(`answers the request when Ctrl-C is sent twice, as under npm start (${situation})`, async () => {
      using folder = temporaryFolder();
      const server = await start(folder.file("x.db"), await settings());
      using slow = await uploading(server);
      process.kill(server.pid, "SIGINT");
      await stopping(server);
      process.kill(server.pid, "SIGINT");
      process.kill(server.pid, "SIGTERM");
      slow.write(body.slice(10));
      expect((await slow.answer("POST")).status).toBe(201);
      expect(await server.exited).toBe(0);
    });
  }

  test("answers the request when its terminal is closed (SIGHUP), and exits with 0", async () => {
    using folder = temporaryFolder();
    const server = await start(folder.file("x.db"));
    using slow = await uploading(server);
    process.kill(server.pid, "SIGHUP");
    await stopping(server);
    slow.write(body.slice(10));
    expect((await slow.answer("POST")).status).toBe(201);
    expect(await server.exited).toBe(0);
  });

  test("keeps running after SIGUSR1 and SIGUSR2, and under nohup after SIGHUP", async () => {
    using folder = temporaryFolder();
    const server = await start(folder.file("x.db"), {}, { under: ["nohup"] });
    for (const signal of ["SIGUSR1", "SIGUSR2", "SIGHUP"] as const) {
      process.kill(server.pid, signal);
      await until(`${signal} is delivered`, async () => pendingSignals(server.pid) === 0n);
    }
    expect(await list(sendTo(server.url))).toEqual([]);
    expect(await server.stop()).toBe(0);
  });
});

test("npm start in a terminal answers requests in progress at Ctrl-C, which it gets twice", async () => {
  using folder = temporaryFolder();
  const npm = Bun.spawn(["npm", "start"], {
    cwd: resolve(import.meta.dir, "../.."),
    env: {
      PATH: process.env.PATH ?? "",
      HOME: folder.path,
      PORT: "0",
      DATABASE_URL: `sqlite:${folder.file("x.db")}`,
    },
    // A process group of its own, as a terminal gives each command.
    detached: true,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const url = await listeningAddress(npm.stdout);
  using slow = await uploading({ url });
  process.kill(-npm.pid, "SIGINT");
  await refusesConnections(url);
  slow.write(body.slice(10));
  expect((await slow.answer("POST")).status).toBe(201);
  await npm.exited;
});

function start(file: string, settings: Record<string, string> = {}, options: CallOptions = {}) {
  return startServer({ DATABASE_URL: `sqlite:${file}`, ...settings }, options);
}

/** A request of which the server has read the head. */
async function uploading({ url }: Pick<RunningServer, "url">): Promise<RawConnection> {
  const slow = await RawConnection.open(url);
  slow.write(upload);
  expect((await slow.head()).status).toBe(100);
  slow.write(body.slice(0, 10));
  return slow;
}

function stopping(server: RunningServer): Promise<void> {
  return refusesConnections(server.url);
}

async function refusesConnections(url: string): Promise<void> {
  while (true) {
    try {
      using _connection = await RawConnection.open(url);
    } catch {
      return;
    }
  }
}

/** Signals that a process has been sent and has not received yet, as a mask (proc_pid_status(5)). */
function pendingSignals(pid: number): bigint {
  const [, mask = "0"] = /^ShdPnd:\s*([0-9a-f]+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return BigInt(`0x${mask}`);
}

async function listeningAddress(output: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true });
    const address = /Listening on (http:\/\/[^"\s]+)/.exec(text)?.[1];
    if (address) return address;
  }
  throw new Error(`the server did not start: ${text}`);
}
