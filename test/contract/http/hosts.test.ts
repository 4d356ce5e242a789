import { beforeAll, describe, expect, test } from "bun:test";
import { checkProblem } from "../../support/requests/problems.ts";
import { exchange, RawConnection } from "../../support/requests/raw-http.ts";
import { describeHttp } from "../../support/server/contract.ts";

/** Names and addresses of this machine itself, whatever the network says. */
const loopback = [
  "localhost",
  "LOCALHOST",
  "localhost.",
  "localhost:8000",
  "localhost:1",
  "anything.localhost",
  "127.0.0.1",
  "127.0.0.1:80",
  "127.1.2.3",
  "[::1]",
  "[::1]:8000",
  "[0:0:0:0:0:0:0:1]",
];

/** Names that any web page could point at this machine. */
const strangers = [
  "evil.example",
  "evil.example:8000",
  "localhost.evil.example",
  "127.0.0.1.evil.example",
  "evillocalhost",
  "0.0.0.0",
  "192.168.0.1",
  "[::2]",
  "[::ffff:192.168.0.1]",
  "128.0.0.1",
];

/** What is no host at all (RFC 9110, section 7.2). */
const malformed = [
  "",
  "a b",
  "localhost, evil.example",
  "user@localhost",
  "localhost/path",
  "localhost:port",
  "localhost:8000:8000",
  "localhost:123456",
  "[::1",
  "::1",
  "[localhost]",
  "http://localhost",
  "localhost?",
  "<localhost>",
];

describeHttp("A server that listens on loopback", (service) => {
  for (const host of loopback) {
    test(`answers to ${host}`, async () => {
      expect(await statusFor(service.url, host)).toBe(200);
    });
  }

  for (const host of strangers) {
    test(`refuses ${host}: 421, on every path and method`, async () => {
      for (const target of ["/bookmarks/", "/docs", "/openapi.json", "/nothing", "/bookmarks"]) {
        for (const method of ["GET", "POST", "OPTIONS"]) {
          const response = await exchange(service.url, { method, target, fields: { host } });
          expect(response.status).toBe(421);
          checkProblem(JSON.parse(response.body), 421);
        }
      }
    });
  }

  for (const host of malformed) {
    test(`refuses the invalid host "${host}": 400`, async () => {
      expect(await statusFor(service.url, host)).toBe(400);
    });
  }

  test("refuses a request with two Host fields, or none", async () => {
    for (const fields of ["host: localhost\r\nhost: localhost\r\n", "host: localhost\r\nHost: x\r\n", ""]) {
      using connection = await RawConnection.open(service.url);
      connection.write(`GET /bookmarks/ HTTP/1.1\r\n${fields}\r\n`);
      expect((await connection.answer("GET")).status).toBe(400);
    }
  });

  test("ignores X-Forwarded-Host from an untrusted client", async () => {
    const fields = { host: "evil.example", "x-forwarded-host": "localhost", forwarded: "host=localhost" };
    const request = { method: "GET", target: "/bookmarks/", fields };
    expect((await exchange(service.url, request)).status).toBe(421);
  });
});

const settings = {
  ALLOWED_HOSTS: "links.example, *.example.org,10.0.0.1,[2001:db8::1]",
  PUBLIC_URL: "https://public.example:8443",
};

describeHttp(
  "A server on loopback with ALLOWED_HOSTS and PUBLIC_URL",
  (service) => {
    for (const host of [
      ...loopback,
      "links.example",
      "Links.Example:8000",
      "a.example.org",
      "b.a.example.org",
      "10.0.0.1",
      "[2001:db8::1]:80",
      "[2001:DB8:0::1]",
      "public.example",
      "public.example:8443",
    ]) {
      test(`answers to ${host}`, async () => {
        expect(await statusFor(service.url, host)).toBe(200);
      });
    }

    for (const host of [
      ...strangers,
      "sub.links.example",
      "example.org",
      "evilexample.org",
      "sub.public.example",
      "10.0.0.2",
    ]) {
      test(`does not answer to ${host}`, async () => {
        expect(await statusFor(service.url, host)).toBe(421);
      });
    }
  },
  settings,
);

describeHttp("A server that listens elsewhere", (service) => {
  const elsewhere = { HOST: "0.0.0.0", BOOKMARKS_ACCESS: "open" };
  let any: string;
  let few: string;
  beforeAll(async () => {
    any = reachable((await service.serveAnother(elsewhere)).url);
    few = reachable((await service.serveAnother({ ...elsewhere, ...settings })).url);
  });

  test("answers to any host when ALLOWED_HOSTS is not set", async () => {
    for (const host of [...loopback, ...strangers]) expect(await statusFor(any, host)).toBe(200);
    for (const host of malformed) expect(await statusFor(any, host)).toBe(400);
  });

  test("answers to ALLOWED_HOSTS and the host of PUBLIC_URL alone when they are set", async () => {
    for (const host of ["links.example", "a.example.org", "public.example"])
      expect(await statusFor(few, host)).toBe(200);
    for (const host of strangers) expect(await statusFor(few, host)).toBe(421);
    for (const host of malformed) expect(await statusFor(few, host)).toBe(400);
  });

  describe("with ALLOWED_HOSTS=*", () => {
    test("answers to any host, also on loopback", async () => {
      const { url } = await service.serveAnother({ ALLOWED_HOSTS: "*" });
      for (const host of [...loopback, ...strangers]) expect(await statusFor(url, host)).toBe(200);
    });
  });
});

async function statusFor(url: string, host: string): Promise<number> {
  const { status } = await exchange(url, { method: "GET", target: "/bookmarks/", fields: { host } });
  return status;
}

/** The address of a server on all interfaces, as one reaches it from here. */
function reachable(url: string): string {
  return url.replace("0.0.0.0", "127.0.0.1");
}
