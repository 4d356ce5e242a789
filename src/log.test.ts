import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { closeSync, constants, openSync, readFileSync, readSync } from "node:fs";
import { temporaryFolder } from "../test/support/server/server.ts";
import { Log, type LogOptions } from "./log.ts";

/** A close that waits until all is written, however slow the disk, in milliseconds. */
const NO_HURRY = 60_000;

const request = {
  requestId: "the-id",
  method: "GET",
  path: "/bookmarks/",
  status: 200,
  milliseconds: 1.234,
  bytes: 5,
};

describe("Log", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let descriptor: number;
  beforeEach(() => {
    folder = temporaryFolder();
    descriptor = openSync(folder.file("log"), "w");
  });
  afterEach(() => {
    closeSync(descriptor);
    folder[Symbol.dispose]();
  });

  const make = (options: Partial<LogOptions> = {}) =>
    new Log({ level: "info", format: "json", descriptor, ...options });
  const written = () => readFileSync(folder.file("log"), "utf8");
  const lines = async (log: Log) => {
    await log.close(NO_HURRY);
    return written().trimEnd().split("\n");
  };
  const parsed = async (log: Log) =>
    (await lines(log)).map((line) => JSON.parse(line) as Record<string, unknown>);

  test("writes one JSON object a line, with time, level, message and fields", async () => {
    const before = Date.now();
    const log = make();
    log.info("Listening", { port: 8_000, docs: "on" });
    log.warn("A word");
    expect(await parsed(log)).toEqual([
      { time: expect.any(String), level: "info", message: "Listening", port: 8_000, docs: "on" },
      { time: expect.any(String), level: "warn", message: "A word" },
    ]);
    const [{ time } = {}] = await parsed(log);
    expect(String(time)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(String(time))).toBeWithin(before, Date.now() + 1);
  });

  test("writes a line for each request that is JSON whatever the path", async () => {
    const log = make();
    for (const path of ["/", '/"quoted"\\', "/a\u2028b", "/\u0000\u001b[31m", "/😀"])
      log.request({ ...request, path });
    expect((await parsed(log)).map(({ path }) => path)).toEqual([
      "/",
      '/"quoted"\\',
      "/a\u2028b",
      "/\u0000\u001b[31m",
      "/😀",
    ]);
    expect((await parsed(log))[0]).toMatchObject({
      request_id: "the-id",
      method: "GET",
      status: 200,
      ms: 1.23,
      bytes: 5,
    });
  });

  test("has the client, the account and the trace of a request if they are known", async () => {
    const known = { address: "203.0.113.0", account: 'ed"itor', traceId: "0af7651916cd43dd8448eb211c80319c" };
    const log = make();
    log.request({ ...request, ...known });
    log.request(request);
    const [line, bare] = await parsed(log);
    expect(line).toMatchObject({ address: "203.0.113.0", account: 'ed"itor', trace_id: known.traceId });
    expect(Object.keys(bare ?? {})).not.toContain("address");
    const text = make({ format: "text" });
    text.request({ ...request, ...known });
    expect((await lines(text)).at(-1)).toEndWith(
      `B the-id address=203.0.113.0 account=ed"itor trace=${known.traceId}`,
    );
  });

  test("logs the stack of an error and its cause", async () => {
    const log = make();
    log.error("It broke", new Error("outer", { cause: new Error("inner") }), { request_id: "the-id" });
    const [line] = await parsed(log);
    expect(line).toMatchObject({ level: "error", message: "It broke", request_id: "the-id" });
    for (const part of ["outer", "log.test.ts", "caused by", "inner"]) expect(line?.error).toContain(part);
  });

  test("for people has lines that cannot steer a terminal or begin lines of their own", async () => {
    const log = make({ format: "text" });
    log.info("one\ntwo \u001b[2J", { name: "three\r\nfour" });
    log.request({ ...request, path: "/\u001b[31m\nfive" });
    const text = await lines(log);
    expect(text).toHaveLength(2);
    expect(text.join("")).not.toMatch(/\p{Cc}/u);
    expect(text[1]).toContain("GET /");
    expect(text[1]).toEndWith("200 1.23 ms 5 B the-id");
  });

  test("for people has errors whose lines cannot be taken for the log's own, whatever they quote", async () => {
    const log = make({ format: "text" });
    const forged = "2026-11-21T06:40:12.345Z GET /healthz 200 0.10 ms forged\r\u001b[2K";
    log.error("It broke", new Error(`duplicate key "x\n${forged}"`));
    const text = await lines(log);
    expect(text[0]).toEndWith("error: It broke");
    expect(text.length).toBeGreaterThan(2);
    for (const line of text.slice(1)) expect(line).toStartWith("    ");
    expect(text.join("")).not.toMatch(/\p{Cc}/u);
  });

  test("has JSON that does nothing to a terminal either", async () => {
    const log = make();
    log.warn("one\u009b2Jtwo\u007f", { name: "\u202ethree\u2028" });
    const [line = ""] = await lines(log);
    expect(line).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
    expect(JSON.parse(line)).toMatchObject({ message: "one\u009b2Jtwo\u007f", name: "\u202ethree\u2028" });
  });

  test("logs entries of its level and above only", async () => {
    const spoken = async (level: LogOptions["level"]) => {
      const log = make({ level });
      log.debug("debug");
      log.info("info");
      log.request(request);
      log.warn("warn");
      log.error("error");
      await log.close(NO_HURRY);
    };
    const counts: number[] = [];
    for (const level of ["debug", "info", "warn", "error", "silent"] as const) {
      const before = written().split("\n").length;
      await spoken(level);
      counts.push(written().split("\n").length - before);
    }
    expect(counts).toEqual([5, 4, 2, 1, 0]);
  });

  test("collects lines, and writes them a moment later", async () => {
    const log = make();
    for (let index = 0; index < 10; index++) log.info(String(index));
    expect(written()).toBe("");
    while (written() === "") await Bun.sleep(10);
    expect(await lines(log)).toHaveLength(10);
  });

  test("writes at once when much has gathered, everything and in order", async () => {
    const log = make();
    for (let index = 0; index < 5_000; index++) log.info(`line ${index}`);
    while (written().split("\n").length < 5_001) await Bun.sleep(5);
    const numbers = (await parsed(log)).map(({ message }) => Number(String(message).slice(5)));
    expect(numbers).toEqual(Array.from({ length: 5_000 }, (_, index) => index));
  });

  test("keeps lines whole and in order across pages, whatever their characters", async () => {
    const log = make();
    const texts = Array.from(
      { length: 20_000 },
      (_, index) => `${index} ${"😀é€"[index % 4] ?? "x".repeat(index % 500)}`,
    );
    for (const [index, text] of texts.entries()) {
      log.info(text);
      // Pages are written while others are filled.
      if (index % 4_000 === 0) await Bun.sleep(1);
    }
    expect((await parsed(log)).map(({ message }) => message)).toEqual(texts);
  });

  test("recovers by itself, in order and without losses, after a slow reader", async () => {
    const path = folder.file("pipe");
    Bun.spawnSync(["mkfifo", path]);
    const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    const log = make({ descriptor: pipe });
    for (let index = 0; index < 3_000; index++) log.info(`line ${index}`);
    await Bun.sleep(10);
    log.info("meanwhile");
    // For longer than lines wait for company, nobody reads, and the pipe is full.
    await Bun.sleep(300);
    let text = "";
    const buffer = Buffer.alloc(64 * 1024);
    const readUpTo = async (line: string) => {
      while (!text.includes(`"${line}"`)) {
        try {
          text += buffer.toString("utf8", 0, readSync(pipe, buffer));
        } catch {
          await Bun.sleep(5);
        }
      }
    };
    await readUpTo("meanwhile");
    log.info("afterwards");
    await readUpTo("afterwards");
    const messages = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).message);
    expect(messages).toEqual([
      ...Array.from({ length: 3_000 }, (_, index) => `line ${index}`),
      "meanwhile",
      "afterwards",
    ]);
    closeSync(pipe);
  });

  test("drops lines that are not read, counts them, and logs it", async () => {
    const log = make();
    const long = "x".repeat(1_000_000);
    // No turn of the event loop between them: nothing can be written meanwhile.
    for (let index = 0; index < 20; index++) log.info(long);
    await log.close(NO_HURRY);
    log.info("after");
    const all = await parsed(log);
    const dropped = Number(all.find(({ dropped_lines }) => dropped_lines !== undefined)?.dropped_lines);
    expect(all.length + dropped).toBe(22);
    expect(dropped).toBeGreaterThan(5);
    expect(all.filter(({ message }) => message === "after")).toHaveLength(1);
  });

  test("is written to its end at the close, however busy the threads are that write", async () => {
    const hashes = Array.from({ length: 4 }, () => Bun.password.hash("correct horse"));
    const log = make();
    const long = "x".repeat(70_000);
    for (let index = 0; index < 3; index++) log.info(`${index} ${long}`);
    log.info("Stopped");
    await log.close(NO_HURRY);
    const messages = (await parsed(log)).map(({ message }) => String(message).split(" ")[0]);
    expect(messages).toEqual(["0", "1", "2", "Stopped"]);
    await Promise.all(hashes);
  });

  test("drops unread lines on close, and writes nothing to a file that reuses the descriptor", async () => {
    const path = folder.file("pipe");
    Bun.spawnSync(["mkfifo", path]);
    const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    const log = make({ descriptor: pipe });
    for (let index = 0; index < 3_000; index++) log.info(`line ${index}`);
    await log.close(50);
    const buffer = Buffer.alloc(64 * 1024);
    expect(buffer.toString("utf8", 0, readSync(pipe, buffer))).toContain("line 0");
    closeSync(pipe);
    const others: number[] = [];
    do others.push(openSync(folder.file(`next ${others.length}`), "w+"));
    while (others.at(-1) !== pipe && others.length < 50);
    expect(others).toContain(pipe);
    // Longer than the pause after which a full pipe is tried again.
    await Bun.sleep(250);
    expect(readFileSync(folder.file(`next ${others.indexOf(pipe)}`), "utf8")).toBe("");
    for (const other of others) closeSync(other);
  });

  test("does not block the process when no one reads", async () => {
    const log = make({ descriptor: 1_000_000 });
    log.info("unheard");
    await log.close(NO_HURRY);
  });
});
