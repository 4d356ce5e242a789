import { beforeAll, expect, test } from "bun:test";
import { useRealTimeLimits } from "../../support/given/real-time-limits.ts";
import { COLLECTION, draft, list } from "../../support/records/bookmarks.ts";
import { RawConnection } from "../../support/requests/raw-http.ts";
import { sendTo } from "../../support/requests/send.ts";
import { describeHttp } from "../../support/server/contract.ts";
import type { RunningServer } from "../../support/server/server.ts";

useRealTimeLimits();

const body = JSON.stringify(draft);
const size = Buffer.byteLength(body);
const hex = size.toString(16);
const chunked = `${hex}\r\n${body}\r\n0\r\n\r\n`;
const smuggled = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n";

/** A creation with these framing headers, and this body. */
const creation = (framing: string, content = body) =>
  `POST ${COLLECTION} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${framing}\r\n\r\n${content}`;
const reading = (lines: string, target = "/healthz") =>
  `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${lines}\r\n`;

/** Requests that another reader of the same bytes might interpret differently (RFC 9112, section 11.2). */
const unreadable: Readonly<Record<string, string>> = {
  "Content-Length and Transfer-Encoding": creation(
    `Content-Length: ${size}\r\nTransfer-Encoding: chunked`,
    chunked,
  ),
  "Transfer-Encoding and Content-Length, and another request behind": creation(
    "Transfer-Encoding: chunked\r\nContent-Length: 4",
    chunked + smuggled,
  ),
  "two Content-Lengths": creation(`Content-Length: ${size}\r\nContent-Length: 5`),
  "a list of Content-Lengths": creation(`Content-Length: ${size}, ${size}`),
  "a negative Content-Length": creation("Content-Length: -1"),
  "a Content-Length with a sign": creation(`Content-Length: +${size}`),
  "a hexadecimal Content-Length": creation(`Content-Length: 0x${hex}`),
  "a Content-Length with a space in it": creation("Content-Length: 1 0"),
  "an empty Content-Length": creation("Content-Length:"),
  "a Content-Length of 26 digits": creation(`Content-Length: ${"9".repeat(26)}`),
  "a Content-Length that is right modulo 2^64": creation(`Content-Length: ${2n ** 64n + BigInt(size)}`),
  "a coding besides chunked": creation("Transfer-Encoding: gzip, chunked", chunked),
  "chunked, and not last": creation("Transfer-Encoding: chunked, identity", chunked),
  "chunked twice": creation("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", chunked),
  "an unknown coding": creation("Transfer-Encoding: xchunked", chunked),
  "the coding identity": creation("Transfer-Encoding: identity"),
  "a vertical tab before chunked": creation(
    `Transfer-Encoding: \x0bchunked\r\nContent-Length: ${size}`,
    chunked,
  ),
  "a space before the colon of Transfer-Encoding": creation(
    `Transfer-Encoding : chunked\r\nContent-Length: ${size}`,
  ),
  "chunks in HTTP/1.0": creation("Transfer-Encoding: chunked", chunked).replace("HTTP/1.1", "HTTP/1.0"),
  "a chunk's size that is no number": creation("Transfer-Encoding: chunked", `zz\r\n${body}\r\n0\r\n\r\n`),
  "a negative chunk's size": creation("Transfer-Encoding: chunked", `-5\r\n${body}\r\n0\r\n\r\n`),
  "a chunk's size with 0x": creation("Transfer-Encoding: chunked", `0x${hex}\r\n${body}\r\n0\r\n\r\n`),
  "a chunk's size with a space before": creation("Transfer-Encoding: chunked", ` ${chunked}`),
  "a chunk of 18 digits": creation("Transfer-Encoding: chunked", `${"f".repeat(18)}\r\n${body}\r\n0\r\n\r\n`),
  "a chunk of 2^63 - 1 bytes": creation(
    "Transfer-Encoding: chunked",
    `7fffffffffffffff\r\n${body}\r\n0\r\n\r\n`,
  ),
  "a chunk without a size": creation("Transfer-Encoding: chunked", `\r\n${body}\r\n0\r\n\r\n`),
  "a chunk that is longer than it says": creation("Transfer-Encoding: chunked", `5\r\n${body}\r\n0\r\n\r\n`),
  "a chunk without its end": creation("Transfer-Encoding: chunked", `${hex}\r\n${body}0\r\n\r\n`),
  "a bare LF after a chunk's size": creation("Transfer-Encoding: chunked", `${hex}\n${body}\r\n0\r\n\r\n`),
  "a bare LF in a chunk's extension": creation("Transfer-Encoding: chunked", `${hex};\n${body}\r\n0\r\n\r\n`),
  "lines that end in LF": "GET /healthz HTTP/1.1\nHost: localhost\n\n",
  "a field that ends in LF": reading("X-A: a\nX-B: b\r\n"),
  "a bare CR in a field": reading("X-A: a\rb\r\n"),
  "NUL in a field": reading("X-A: a\0b\r\n"),
  "NUL in the name of a field": reading("X-\0A: b\r\n"),
  "NUL in the target": reading("", "/heal\0thz"),
  "a control character in a field": reading("X-A: a\x01b\r\n"),
  "a space in the name of a field": reading("X A: b\r\n"),
  "a field without a name": reading(": b\r\n"),
  "a line that is no field": reading("X-A\r\n"),
  "a field on two lines": reading("X-A: a\r\n b\r\n"),
  "no Host": "GET /healthz HTTP/1.1\r\n\r\n",
  "a space in the target": reading("", "/heal thz"),
  "a target that is no path": reading("", "healthz"),
  "another protocol": reading("").replace("HTTP/1.1", "HTTP/2.0"),
  "no protocol": "GET /healthz\r\n\r\n",
  "a fragment of TLS": `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${"x".repeat(100)}`,
  "a field of 1 MiB": reading(`X-A: ${"a".repeat(1024 * 1024)}\r\n`),
  "a target of 100 kB": reading("", `/${"a".repeat(100_000)}`),
  "a thousand fields": reading(Array.from({ length: 1_000 }, (_, index) => `X-${index}: a\r\n`).join("")),
};

describeHttp("A request that cannot be read, or could be read in two ways,", (service) => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await service.startAnother();
  });

  for (const [fault, bytes] of Object.entries(unreadable)) {
    test(`is refused and its connection closed: ${fault}`, async () => {
      using connection = await RawConnection.open(server.url);
      connection.write(Buffer.from(bytes, "latin1"));
      const { status } = await connection.answer("GET");
      expect(status).toBeOneOf([400, 431, 505]);
      expect(await connection.closed()).toBeTrue();
    });
  }

  test("has no effect, nor has a request hidden in it", async () => {
    expect(await list(sendTo(server.url))).toEqual([]);
    await server.stop();
    expect(server.lines.filter((line) => line.includes("smuggled"))).toEqual([]);
  });
});
