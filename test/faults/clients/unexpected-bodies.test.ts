import { beforeAll, expect, test } from "bun:test";
import { useRealTimeLimits } from "../../support/given/real-time-limits.ts";
import { RawConnection } from "../../support/requests/raw-http.ts";
import { describeHttp } from "../../support/server/contract.ts";
import type { RunningServer } from "../../support/server/server.ts";

useRealTimeLimits();

/** What no server may take for a request when it is a body. */
const smuggled = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n";
const last = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

const long = smuggled.repeat(2_000);
const BODIES: Readonly<Record<string, readonly [framing: string, body: string]>> = {
  "a Content-Length": [`Content-Length: ${smuggled.length}`, smuggled],
  "a long body": [`Content-Length: ${long.length}`, long],
  chunks: ["Transfer-Encoding: chunked", `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`],
};

describeHttp("A body that no method expects", (service) => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await service.startAnother();
  });

  /** The statuses of all answers of a connection. */
  async function statusesOf(method: string, pieces: readonly string[]): Promise<number[]> {
    using connection = await RawConnection.open(server.url);
    const statuses: number[] = [];
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) await connection.beginning();
      connection.write(piece);
    }
    try {
      for (const name of [method, "GET", "GET"]) statuses.push((await connection.answer(name)).status);
    } catch {
      // The connection was closed.
    }
    return statuses;
  }

  for (const method of ["GET", "HEAD", "OPTIONS", "DELETE"])
    for (const [name, [framing, body]] of Object.entries(BODIES))
      test(`is no request, and the next one is answered or the connection closed: ${method} with ${name}`, async () => {
        for (const target of ["/healthz", "/nothing"]) {
          const head = `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n`;
          const [first] = await statusesOf(method, [
            `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
          ]);
          for (const pieces of [[head + body + last], [head, body + last]]) {
            const statuses = await statusesOf(method, pieces);
            expect([[], [first], [first, 200]]).toContainEqual(statuses);
          }
        }
      });

  test("was none of the requests that the server logged", async () => {
    expect(server.lines.filter((line) => line.includes("smuggled"))).toEqual([]);
  });

  test("is a request where the first one has no body, so the tests can fail", async () => {
    const head = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";
    const closing = smuggled.replace("Host", "Connection: close\r\nHost");
    expect(await statusesOf("GET", [head, closing])).toEqual([200, 404]);
  });
});
