import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { head, RawConnection } from "../../../test/support/requests/raw-http.ts";
import { Log } from "../../log.ts";
import { listen, type Server } from "../server.ts";
import { SlowReader, type TextBodyOptions, textBody } from "./text-stream.ts";

/** Counts the requested chunks, and whether it was closed. */
class Pieces {
  made = 0;
  stopped = false;

  async *upTo(count: number, size = 1): AsyncGenerator<string> {
    try {
      while (this.made < count) {
        await setImmediate();
        yield String(this.made++ % 10).repeat(size);
      }
    } finally {
      this.stopped = true;
    }
  }

  /** Fails at the chunk with this number. */
  async *failingAt(count: number): AsyncGenerator<string> {
    yield* this.upTo(count);
    throw new Error("the disk broke");
  }
}

describe("textBody", () => {
  test("returns zero or one chunk as a string", async () => {
    expect(await textBody(new Pieces().upTo(0))).toBe("");
    expect(await textBody(new Pieces().upTo(1))).toBe("0");
  });

  test("streams several chunks, complete and in order", async () => {
    const body = await streamOf(new Pieces().upTo(25));
    expect(await new Response(body).text()).toBe("0123456789012345678901234");
  });

  test("generates no more chunks than the reader has room for", async () => {
    const pieces = new Pieces();
    const reader = (await streamOf(pieces.upTo(1_000))).getReader();
    for (let read = 1; read <= 5; read++) {
      await reader.read();
      await turns(20);
      expect(pieces.made - read).toBeLessThanOrEqual(3);
    }
    await reader.cancel();
  });

  test("stops generating chunks when the reader goes away", async () => {
    const pieces = new Pieces();
    const reader = (await streamOf(pieces.upTo(1_000))).getReader();
    await reader.read();
    await reader.cancel();
    expect(pieces.stopped).toBeTrue();
    expect(pieces.made).toBeLessThan(10);
  });

  test("fails half-way when a chunk cannot be made, and logs it", async () => {
    const errors: unknown[] = [];
    const onBreak = (error: unknown) => errors.push(error);
    const reader = (await streamOf(new Pieces().failingAt(5), { onBreak })).getReader();
    const readAll = async () => {
      while (!(await reader.read()).done);
    };
    await expect(readAll()).rejects.toThrow("the disk broke");
    expect(errors).toEqual([new Error("the disk broke")]);
  });

  test("logs nothing when it succeeds, or when the reader goes away", async () => {
    const onBreak = (error: unknown) => {
      throw error;
    };
    await new Response(await streamOf(new Pieces().upTo(5), { onBreak })).text();
    const reader = (await streamOf(new Pieces().upTo(1_000), { onBreak })).getReader();
    const reading = reader.read();
    await reader.cancel();
    await reading;
    await turns(20);
  });

  test("fails at once when it fails before its first chunk", async () => {
    for (const count of [0, 1]) {
      await expect(textBody(new Pieces().failingAt(count))).rejects.toThrow("the disk broke");
    }
  });
});

describe("textBody to a reader that", () => {
  const LIMIT = 30_000;
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test("stops reading drops it after the time limit, and stops generating chunks", async () => {
    const pieces = new Pieces();
    const errors: unknown[] = [];
    const options = { stallLimit: LIMIT, onBreak: (error: unknown) => errors.push(error) };
    const reader = (await streamOf(pieces.upTo(1_000), options)).getReader();
    await reader.read();
    await turns(5);
    jest.advanceTimersByTime(LIMIT - 1);
    await turns(5);
    expect(pieces.stopped).toBeFalse();
    jest.advanceTimersByTime(1);
    await turns(5);
    expect(pieces.stopped).toBeTrue();
    expect(pieces.made).toBeLessThan(10);
    await expect(reader.read()).rejects.toThrow("stopped reading");
    expect(errors).toEqual([new SlowReader("the client stopped reading")]);
  });

  test("is slow, but reads, does not drop it", async () => {
    const reader = (await streamOf(new Pieces().upTo(10), { stallLimit: LIMIT })).getReader();
    let text = "";
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      text += new TextDecoder().decode(next.value);
      await turns(5);
      jest.advanceTimersByTime(LIMIT - 1);
    }
    expect(text).toBe("0123456789");
  });

  test("has read everything is not waited for", async () => {
    const reader = (await streamOf(new Pieces().upTo(5), { stallLimit: LIMIT })).getReader();
    while (!(await reader.read()).done);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe("textBody over a connection", () => {
  const PIECE = 256 * 1024;
  let pieces = new Pieces();
  let server: Server;
  let url: string;
  beforeAll(() => {
    const log = new Log({ level: "silent", format: "json" });
    const answers: Record<string, () => AsyncGenerator<string>> = {
      "/endless": () => pieces.upTo(100_000, PIECE),
      "/failing": () => pieces.failingAt(50),
    };
    server = listen(
      async (request) => {
        const { pathname } = new URL(request.url);
        return new Response(await textBody(answers[pathname]?.() ?? pieces.upTo(0), { stallLimit: 100 }));
      },
      { host: "127.0.0.1", port: 0, log },
    );
    url = `http://127.0.0.1:${server.port}`;
  });
  afterAll(() => server.stop(0));

  const get = async (target: string): Promise<RawConnection> => {
    pieces = new Pieces();
    const connection = await RawConnection.open(url);
    connection.write(head({ method: "GET", target }));
    return connection;
  };

  test("aborts it when a chunk fails, so that the body never looks complete", async () => {
    using connection = await get("/failing");
    const response = await connection.answer("GET");
    expect(response.status).toBe(200);
    expect(response.body).toStartWith("01234");
    expect(response.complete).toBeFalse();
  });

  test("stops generating chunks when the client disconnects", async () => {
    const connection = await get("/endless");
    await connection.beginning();
    connection[Symbol.dispose]();
    await until(() => pieces.stopped);
    expect(pieces.made).toBeLessThan(1_000);
  });

  test("drops a client that stops reading", async () => {
    using connection = await get("/endless");
    await connection.beginning();
    await until(() => pieces.stopped);
    expect(pieces.made).toBeLessThan(1_000);
    const response = await connection.answer("GET");
    expect(response.complete).toBeFalse();
  });
});

async function streamOf(
  pieces: AsyncGenerator<string>,
  options: TextBodyOptions = {},
): Promise<ReadableStream<Uint8Array>> {
  const body = await textBody(pieces, options);
  if (!(body instanceof ReadableStream)) throw new Error("not a stream");
  return body;
}

/** Lets all pending callbacks run. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await setImmediate();
}

/** Polls until a condition without an event holds; the time limit of the test applies. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setImmediate();
}
