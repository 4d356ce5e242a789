import { describe, expect, test } from "bun:test";
import { type Client, Clients } from "./client.ts";

const PROXY = "10.0.0.1";

interface Given {
  readonly trusted?: readonly string[];
  readonly publicUrl?: string;
  /** The other end of the connection. */
  readonly peer?: string;
}

function clientOf(
  headers: Record<string, string>,
  { trusted = [PROXY], publicUrl, peer = PROXY }: Given = {},
): Client {
  const request = new Request("http://localhost:8000/", { headers });
  return new Clients(trusted, publicUrl).of(request, { address: () => peer });
}

describe("A client that connects directly", () => {
  const spoofed = {
    "x-forwarded-for": "192.0.2.1",
    "x-forwarded-proto": "https",
    "x-forwarded-host": "evil.example",
  };

  test.each([[[]], [["10.0.0.2"]], [["10.1.0.0/16", "2001:db8::/32"]]])(
    "has the address of its connection, whatever its headers claim (TRUSTED_PROXIES=%j)",
    (trusted) => {
      const client = clientOf(spoofed, { trusted, peer: "203.0.113.9" });
      expect(client.address).toBe("203.0.113.9");
      expect(client.scheme).toBe("http");
      expect(client.host).toBe("localhost:8000");
      expect(client.origin).toBe("http://localhost:8000");
    },
  );

  test("gets links to PUBLIC_URL when that is set", () => {
    const publicUrl = "https://blog.example.com";
    const { scheme, origin, host } = clientOf({}, { trusted: [], publicUrl });
    expect({ scheme, origin, host }).toEqual({ scheme: "https", origin: publicUrl, host: "localhost:8000" });
  });
});

describe("A client behind a trusted proxy", () => {
  test("has the values that the proxy reports", () => {
    const client = clientOf({
      "x-forwarded-for": "192.0.2.1",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "blog.example.com",
    });
    expect(client.address).toBe("192.0.2.1");
    expect(client.scheme).toBe("https");
    expect(client.host).toBe("blog.example.com");
    expect(client.origin).toBe("https://blog.example.com");
  });

  test("gets links to the host of its request when the proxy reports none", () => {
    const { address, scheme, host, origin } = clientOf({});
    expect({ address, scheme, host, origin }).toEqual({
      address: PROXY,
      scheme: "http",
      host: "localhost:8000",
      origin: "http://localhost:8000",
    });
  });

  test("has the last value when there are several proxies", () => {
    const client = clientOf({
      "x-forwarded-proto": "https, http",
      "x-forwarded-host": "evil.example, blog.example.com",
    });
    expect(client.scheme).toBe("http");
    expect(client.host).toBe("blog.example.com");
  });

  test.each([PROXY, `::ffff:${PROXY}`, `0:0:0:0:0:FFFF:${PROXY}`])(
    "has its own address when the proxy connects from %s",
    (peer) => {
      expect(clientOf({ "x-forwarded-for": "192.0.2.1" }, { peer }).address).toBe("192.0.2.1");
    },
  );

  test.each(["10.0.0.0/8", "2001:db8::/32"])(
    "has its own address when the proxy is in the block %s",
    (block) => {
      const peer = block.startsWith("10.") ? "10.200.3.4" : "2001:db8:1::1";
      expect(clientOf({ "x-forwarded-for": "192.0.2.1" }, { trusted: [block], peer }).address).toBe(
        "192.0.2.1",
      );
      const stranger = block.startsWith("10.") ? "11.0.0.1" : "2001:db9::1";
      expect(clientOf({ "x-forwarded-for": "192.0.2.1" }, { trusted: [block], peer: stranger }).address).toBe(
        stranger,
      );
    },
  );
});

describe("The address in X-Forwarded-For", () => {
  const trusted = [PROXY, "10.0.0.2"];

  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["2001:db8::1", "2001:db8::1"],
    // Entries before the last untrusted hop may be made up by the client.
    ["6.6.6.6, 192.0.2.1", "192.0.2.1"],
    ["6.6.6.6,192.0.2.1", "192.0.2.1"],
    ["6.6.6.6, 192.0.2.1, 10.0.0.2", "192.0.2.1"],
    ["6.6.6.6, 10.0.0.2, 192.0.2.1, 10.0.0.2", "192.0.2.1"],
    // Some proxies add the port.
    ["6.6.6.6, 192.0.2.1:4321", "192.0.2.1"],
    ["6.6.6.6, [2001:db8::1]:4321", "2001:db8::1"],
    ["6.6.6.6, [2001:db8::1]", "2001:db8::1"],
  ])("of %j is %s", (forwardedFor, address) => {
    expect(clientOf({ "x-forwarded-for": forwardedFor }, { trusted }).address).toBe(address);
  });

  test.each([
    "unknown",
    "6.6.6.6, unknown",
    "6.6.6.6, ",
    "6.6.6.6, _hidden",
    "6.6.6.6, 999.1.1.1",
    "6.6.6.6, evil.example",
  ])("of %j is the proxy's: nothing left of a hop that is no address is believed", (forwardedFor) => {
    expect(clientOf({ "x-forwarded-for": forwardedFor }, { trusted }).address).toBe(PROXY);
  });

  test.each(["", "10.0.0.2", "10.0.0.2, 10.0.0.1"])(
    "of %j, without a valid client, is the proxy's",
    (forwardedFor) => {
      expect(trusted).toContain(clientOf({ "x-forwarded-for": forwardedFor }, { trusted }).address);
    },
  );
});

test("Whoever connects to a Unix socket is a trusted proxy; without a report of it, the client has no address", () => {
  const clients = new Clients(["10.0.0.1"], undefined, { trustsEveryPeer: true });
  const addressOf = (headers: Record<string, string>) =>
    clients.of(new Request("http://localhost/", { headers }), { address: () => "" }).address;
  expect(addressOf({ "x-forwarded-for": "6.6.6.6, 192.0.2.1, 10.0.0.1" })).toBe("192.0.2.1");
  expect(addressOf({})).toBe("unix");
});

test("A proxy that is near and not trusted is reported once", () => {
  const reported: string[] = [];
  const clients = new Clients(["10.0.0.1"], undefined, { onUntrusted: (proxy) => reported.push(proxy) });
  const request = (forwarded: boolean) =>
    new Request("http://localhost/", { headers: forwarded ? { "x-forwarded-for": "203.0.113.7" } : {} });
  for (const [peer, forwarded] of [
    ["127.0.0.1", false],
    ["8.8.8.8", true],
    ["10.0.0.1", true],
    ["::ffff:127.0.0.1", true],
    ["127.0.0.1", true],
  ] as const)
    clients.of(request(forwarded), { address: () => peer });
  expect(reported).toEqual(["127.0.0.1"]);
});
