import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { give } from "../../support/given/given.ts";
import { useRealTimeLimits } from "../../support/given/real-time-limits.ts";
import { openFiles, openFilesLimit, residentBytes } from "../../support/machine/memory.ts";
import { until } from "../../support/machine/until.ts";
import { fields, POSTS } from "../../support/records/blog.ts";
import { COLLECTION, draft, fill, list } from "../../support/records/bookmarks.ts";
import { checkProblem } from "../../support/requests/problems.ts";
import { exchange, head, RawConnection } from "../../support/requests/raw-http.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import { type RunningServer, startServer, temporaryFolder } from "../../support/server/server.ts";

useRealTimeLimits();

const MEBIBYTE = 1024 * 1024;
/** The tolerance for the runtime's memory, in bytes. */
const FLAT = 64 * MEBIBYTE;
const MANY = 10_000;
const LISTED = 5_000;

const onLinux = process.platform === "linux";
const JSON_TYPE = { "content-type": "application/json" };
const body = JSON.stringify(draft);
const createOne = head({ method: "POST", target: COLLECTION, fields: JSON_TYPE, body }) + body;
const readOne = head({ method: "GET", target: `${COLLECTION}1` });

/** What slow clients send: once at first, and then repeatedly. */
const slow: Readonly<Record<string, readonly [first: string, more?: string]>> = {
  "nothing at all": [""],
  "half a head": [createOne.slice(0, 20)],
  "a head, byte by byte": [`${readOne.trimEnd()}\r\nX-A: `, "a"],
  "half a body": [createOne.slice(0, -5)],
  "a body, byte by byte": [beginning({ "content-length": 100_000 }), " "],
  "a body in chunks, byte by byte": [beginning({ "transfer-encoding": "chunked" }), "1\r\n \r\n"],
  "a body that is too long, byte by byte": [beginning({ "content-length": 10_000_000 }), " "],
  "one request, and no other": [readOne],
};

describe("A server whose clients misbehave", () => {
  const folder = temporaryFolder();
  let server: RunningServer;
  let send: Send;
  let slowClients: Promise<string[]>;
  beforeAll(async () => {
    const DATABASE_URL = `sqlite:${folder.file("test.db")}`;
    await fill(DATABASE_URL, LISTED, 1_000);
    give({ limits: { connectionIdle: 1_000 } });
    server = await startServer({ DATABASE_URL, POSTS_ACCESS: "open" });
    give({ limits: {} });
    send = sendTo(server.url);
    slowClients = closedOf(server, slow);
  });
  afterAll(async () => {
    await server.kill();
    folder[Symbol.dispose]();
  });

  test.skipIf(!onLinux)(
    `holds ${MANY} connections with half a request on each, in flat memory, and serves others`,
    async () => {
      // This server keeps such connections open until the test is done.
      await using toEnd = new AsyncDisposableStack();
      const patient = await startServer({ DATABASE_URL: `sqlite:${folder.file("test.db")}` });
      toEnd.defer(() => patient.kill());
      const count = Math.min(MANY, openFilesLimit(patient.pid) - 200);
      const before = residentBytes(patient.pid);
      const program = join(import.meta.dir, "../../support/requests/hold-connections.ts");
      const holder = Bun.spawn(
        [process.execPath, program, patient.url, String(count), readOne.slice(0, 20)],
        {
          stdin: "pipe",
          stdout: "pipe",
          stderr: "inherit",
        },
      );
      const { value } = await holder.stdout.getReader().read();
      const held = Number(new TextDecoder().decode(value));
      expect(held).toBe(count);
      await until("the server has taken them all", async () => openFiles(patient.pid) > count);
      for (let asked = 0; asked < 20; asked++) expect(await statusOf(patient, readOne)).toBe(200);
      const grown = residentBytes(patient.pid) - before;
      expect(grown).toBeLessThan(FLAT);
      console.log(`${held} connections took ${Math.round(grown / MEBIBYTE)} MiB`);
      holder.stdin.end();
      await holder.exited;
    },
  );

  test.skipIf(!onLinux)(
    "serves connected clients at the limit of connections, and others when connections close",
    async () => {
      await using toEnd = new AsyncDisposableStack();
      const settings = { DATABASE_URL: `sqlite:${folder.file("small.db")}` };
      const small = await startServer(settings, { under: ["prlimit", "--nofile=100:100"] });
      toEnd.defer(() => small.kill());
      const first = toEnd.use(await RawConnection.open(small.url));
      first.write(createOne);
      expect((await first.answer("POST")).status).toBe(201);
      const crowd: RawConnection[] = [];
      // The kernel accepts connections for which the server has no descriptors.
      for (let count = 0; count < 150; count++) crowd.push(toEnd.use(await RawConnection.open(small.url)));
      await until("no more may be open", async () => openFiles(small.pid) === 100);
      first.write(createOne);
      expect((await first.answer("POST")).status).toBe(201);
      for (const connection of crowd) connection[Symbol.dispose]();
      expect(await list(sendTo(small.url))).toHaveLength(2);
    },
  );

  for (const framing of ["with its length", "in chunks"] as const) {
    test.skipIf(!onLinux)(
      `refuses a body of 100 MB ${framing} before it has come, and takes it in in flat memory`,
      async () => {
        const before = residentBytes(server.pid);
        using connection = await RawConnection.open(server.url);
        const piece = Buffer.alloc(MEBIBYTE, " ");
        const chunk = Buffer.concat([Buffer.from("100000\r\n"), piece, Buffer.from("\r\n")]);
        const length = { "content-length": 100 * MEBIBYTE };
        const fields = {
          ...JSON_TYPE,
          ...(framing === "in chunks" ? { "transfer-encoding": "chunked" } : length),
        };
        connection.write(head({ method: "POST", target: COLLECTION, fields }));
        let highest = before;
        for (let sent = 0; sent < 100; sent++) {
          await connection.writeAll(framing === "in chunks" ? chunk : piece);
          highest = Math.max(highest, residentBytes(server.pid));
          if (sent === 1) expect((await connection.head()).status).toBe(413);
          if (sent % 10 === 0) expect((await send(`${COLLECTION}1`)).status).toBe(200);
        }
        if (framing === "in chunks") connection.write("0\r\n\r\n");
        expect(highest - before).toBeLessThan(FLAT);
        // The server read and discarded the whole body, so the connection was not reset in the middle of it.
        connection.write(readOne);
        expect(await connection.closed()).toBeTrue();
      },
    );
  }

  test.skipIf(!onLinux)(
    "keeps little of long bodies that never end, and takes short ones meanwhile",
    async () => {
      await using toEnd = new AsyncDisposableStack();
      const patient = await startServer({ DATABASE_URL: `sqlite:${folder.file("patient.db")}` });
      toEnd.defer(() => patient.kill());
      const long = { title: "Long", url: draft.url, description: "x".repeat(500_000) };
      const json = JSON.stringify(long);
      const unfinished =
        head({ method: "POST", target: COLLECTION, fields: JSON_TYPE, body: json }) + json.slice(0, -1);
      const before = residentBytes(patient.pid);
      const crowd: RawConnection[] = [];
      for (let count = 0; count < 1_000; count++) {
        const connection = toEnd.use(await RawConnection.open(patient.url));
        await connection.writeAll(Buffer.from(unfinished));
        crowd.push(connection);
      }
      const ask = sendTo(patient.url);
      const isTaken = async (json: unknown) => (await ask(COLLECTION, { method: "POST", json })).ok;
      await until("all that came is read", () => isTaken(draft));
      for (let asked = 0; asked < 20; asked++) expect(await isTaken(draft)).toBeTrue();
      const refused = await ask(COLLECTION, { method: "POST", json: long });
      expect(refused.headers.get("retry-after")).toBe("1");
      checkProblem(await refused.json(), 503);

      // Five hundred megabytes were sent. The refused part waits for the garbage collector.
      expect(residentBytes(patient.pid) - before).toBeLessThan(5 * FLAT);
      for (const connection of crowd) connection[Symbol.dispose]();
      await until("there is room again", () => isTaken(long));
    },
  );

  test.skipIf(!onLinux)(
    "frees the memory of a hundred readers that disconnect in the middle of a list",
    async () => {
      const getList = head({ method: "GET", target: COLLECTION });
      const before = residentBytes(server.pid);
      for (let wave = 0; wave < 10; wave++) {
        const readers = await Promise.all(Array.from({ length: 10 }, () => RawConnection.open(server.url)));
        for (const reader of readers) reader.write(getList);
        await Promise.all(readers.map((reader) => reader.beginning()));
        for (const reader of readers) reader[Symbol.dispose]();
      }
      expect(await list(send, "?limit=1")).toHaveLength(1);
      // The garbage collector frees unused memory with a delay.
      await until("memory is given back", async () => {
        await list(send, "?limit=1");
        return residentBytes(server.pid) - before < 2 * FLAT;
      });
      const { errors } = await logged(server);
      expect(errors).toEqual([]);
    },
  );

  test("answers pipelined requests in order, or closes the connection", async () => {
    using connection = await RawConnection.open(server.url);
    connection.write(readOne + readOne.replace(`${COLLECTION}1`, "/nothing") + readOne);
    for (const status of [200, 404, 200]) expect((await connection.answer("GET")).status).toBe(status);

    // The runtime does not accept a pipelined request while it handles the previous one.
    using writing = await RawConnection.open(server.url);
    writing.write(createOne + createOne);
    expect(await writing.closed()).toBeTrue();
  });

  test.skipIf(!onLinux)(
    "buffers few answers for a client that sends requests and reads none, and serves the others",
    async () => {
      const before = residentBytes(server.pid);
      using greedy = await RawConnection.open(server.url);
      greedy.write(readOne.repeat(20_000));
      // Clients that arrive in the same turn of the event loop may get 503.
      await until("others are served", async () => (await send(`${COLLECTION}1`)).ok);
      expect(residentBytes(server.pid) - before).toBeLessThan(FLAT);
    },
  );

  test("drops the incomplete request of a half-closed connection", async () => {
    const before = await list(send, "?limit=1000");
    for (const part of ["", createOne.slice(0, 30), createOne.slice(0, -5)]) {
      using broken = await RawConnection.open(server.url);
      broken.write(part);
      broken.finish();
      expect(await broken.closed()).toBeTrue();
    }
    expect(await list(send, "?limit=1000")).toEqual(before);
    expect((await logged(server)).errors).toEqual([]);
  });

  test("sends 100 Continue to a waiting client, and refuses a body that is too long before it is sent", async () => {
    const fields = { ...JSON_TYPE, expect: "100-continue" };
    using patient = await RawConnection.open(server.url);
    patient.write(head({ method: "POST", target: COLLECTION, fields, body }));
    expect((await patient.head()).status).toBe(100);
    patient.write(body);
    expect((await patient.answer("POST")).status).toBe(201);

    using long = await RawConnection.open(server.url);
    const tooLong = { ...fields, "content-length": 100 * MEBIBYTE };
    long.write(head({ method: "POST", target: COLLECTION, fields: tooLong }));
    expect((await long.head()).status).toBe(100);
    expect((await long.answer("POST")).status).toBe(413);
  });

  test("refuses a request with two Host fields", async () => {
    for (const second of ["localhost", "evil.example"]) {
      using connection = await RawConnection.open(server.url);
      connection.write(readOne.replace("\r\n\r\n", `\r\nHost: ${second}\r\n\r\n`));
      const { status, body: problem } = await connection.answer("GET");
      expect(status).toBe(400);
      checkProblem(JSON.parse(problem), 400);
    }
  });

  // By RFC 9112, section 3.2.2, the host of an absolute target replaces Host, but the runtime does not report it.
  test("checks Host and builds links from it, whatever host an absolute target names", async () => {
    for (let count = 0; count < 2; count++)
      expect((await send(POSTS, { method: "POST", json: fields })).status).toBe(201);
    const target = `http://evil.example${POSTS}?page_size=1`;
    const response = await exchange(server.url, { method: "GET", target });
    expect(JSON.parse(response.body).next).toStartWith(`http://localhost${POSTS}`);
    const misled = await exchange(server.url, {
      method: "GET",
      target: `http://localhost${COLLECTION}`,
      fields: { host: "evil.example" },
    });
    expect(misled.status).toBe(421);
  });

  // These connections were opened with the first test: the runtime allows ten seconds for the first head.
  test("closes idle and very slow connections", async () => {
    expect(await slowClients).toEqual(Object.keys(slow));
  });
});

function beginning(fields: Readonly<Record<string, string | number>>): string {
  return head({ method: "POST", target: COLLECTION, fields: { ...JSON_TYPE, ...fields } });
}

/** Which clients have their connections closed. Resolves when all are closed. */
async function closedOf({ url }: RunningServer, clients: typeof slow): Promise<string[]> {
  const closed = Object.entries(clients).map(async ([name, [first, more]]) => {
    using connection = await RawConnection.open(url);
    connection.write(first);
    const dripping = more === undefined ? undefined : setInterval(() => connection.write(more), 200);
    const isClosed = await connection.closed();
    clearInterval(dripping);
    return isClosed ? name : `not ${name}`;
  });
  return await Promise.all(closed);
}

async function statusOf({ url }: RunningServer, request: string): Promise<number> {
  using connection = await RawConnection.open(url);
  connection.write(request);
  return (await connection.answer("GET")).status;
}

/** The errors that a server has logged, once everything logged earlier has arrived. */
async function logged(server: RunningServer): Promise<{ errors: string[] }> {
  const mark = `mark-${Math.random()}`;
  await sendTo(server.url)(`/${mark}`);
  await until("the log is written", async () => server.lines.some((line) => line.includes(mark)));
  return { errors: server.lines.filter((line) => line.includes('"level":"error"')) };
}
