import { afterAll, describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { gzipSync } from "node:zlib";
import { useRealTimeLimits } from "../../test/support/given/real-time-limits.ts";
import {
  FetchError,
  fetchPublic,
  LeadsTo,
  type Network,
  type PublicResponse,
  publicInternet,
  readPublic,
} from "./fetch-public.ts";
import { isPublicAddress } from "./public-address.ts";

useRealTimeLimits();

const PUBLIC = "93.184.215.14";
const limits = { timeout: 60_000, maxBytes: 100_000, accept: "text/html" };
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/**
 * A server on this machine with a given response to the first bytes of each connection; it records what it received.
 */
async function listen(answer: (socket: Socket, request: string) => void) {
  const seen = { connections: 0, requests: [] as string[], closed: 0 };
  const server = createServer((socket) => {
    seen.connections++;
    socket.on("error", () => {});
    socket.on("close", () => seen.closed++);
    socket.on("data", (data) => {
      seen.requests.push(String(data));
      answer(socket, String(data));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { port, seen };
}

/** A fake network in which one public address connects to this machine. */
function network(names: Readonly<Record<string, readonly string[]>> = {}, own: readonly string[] = []) {
  const connected: string[] = [];
  const resolved: string[] = [];
  const made: Network = {
    async resolve(hostname) {
      resolved.push(hostname);
      return names[hostname] ?? [PUBLIC];
    },
    isPublic: isPublicAddress,
    own: async () => own,
    fetch(url, init) {
      const at = new URL(url);
      connected.push(at.hostname);
      if (at.hostname === PUBLIC) at.hostname = "127.0.0.1";
      return fetch(at.href, init);
    },
  };
  return { ...made, connected, resolved };
}

const page = (body: string, more = "") =>
  `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;
const redirect = (location: string) =>
  `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`;

describe("fetchPublic", () => {
  test("connects to the address that was checked, with the host's name in the request", async () => {
    const { port, seen } = await listen((socket) => socket.write(page("hello")));
    const net = network();
    const found = await fetchPublic(new URL(`http://ada:secret@site.example:${port}/a?b#c`), limits, net);
    expect(String.fromCharCode(...found.bytes)).toBe("hello");
    expect(found).toMatchObject({ status: 200, contentType: "text/html" });
    expect(net.connected).toEqual([PUBLIC]);
    const [request = ""] = seen.requests;
    expect(request).toStartWith("GET /a?b HTTP/1.1");
    expect(request.toLowerCase()).toContain(`host: site.example:${port}\r\n`);
    expect(request.toLowerCase()).not.toMatch(/authorization|cookie|referer/);
  });

  test("uses no connection twice, although the server offers to keep it", async () => {
    const { port, seen } = await listen((socket) => socket.write(page("ok", "Connection: keep-alive\r\n")));
    for (let round = 0; round < 3; round++)
      await fetchPublic(new URL(`http://site.example:${port}/`), limits, network());
    expect(seen.connections).toBe(3);
  });

  test("never connects to a literal address that is not public", async () => {
    const net = network();
    for (const host of ["127.0.0.1", "2130706433", "[::1]", "[::ffff:7f00:1]", "169.254.169.254", "0"])
      await expect(fetchPublic(new URL(`http://${host}/`), limits, net)).rejects.toThrow("no public address");
    expect(net.resolved).toEqual([]);
    expect(net.connected).toEqual([]);
  });

  test("never connects to a name with a private address among its addresses", async () => {
    const net = network({ "inside.example": ["10.0.0.7"], "both.example": ["127.0.0.1", PUBLIC, "::1"] });
    await expect(fetchPublic(new URL("http://inside.example/"), limits, net)).rejects.toThrow(FetchError);
    const { port } = await listen((socket) => socket.write(page("ok")));
    await fetchPublic(new URL(`http://both.example:${port}/`), limits, net);
    expect(net.connected).toEqual([PUBLIC]);
  });

  test("never connects to a public address of this machine, as it is at that moment", async () => {
    const own: string[] = [];
    const net = network({ "this.example": [PUBLIC, "2606:4700::1111"] }, own);
    const { port } = await listen((socket) => socket.write(page("ok")));
    const url = new URL(`http://this.example:${port}/`);
    expect((await fetchPublic(url, limits, net)).status).toBe(200);
    own.push(PUBLIC, "2606:4700::1111");
    for (const one of [url, new URL(`http://${PUBLIC}:${port}/`), new URL("http://[2606:4700:0::1111]/")])
      await expect(fetchPublic(one, limits, net)).rejects.toThrow("no public address");
    expect(net.connected).toEqual([PUBLIC]);
  });

  test("knows the addresses of every interface, and those of PUBLIC_URL", async () => {
    const interfaces = Object.values(networkInterfaces()).flatMap((all = []) =>
      all.map(({ address }) => address),
    );
    expect(interfaces.length).toBeGreaterThan(0);
    const own = await publicInternet(`https://${PUBLIC}/`).own();
    expect(own).toEqual([PUBLIC, ...interfaces]);
    expect(await publicInternet(undefined).own()).toEqual(interfaces);
  });

  test("resolves a name once per request, so that a second response cannot redirect it", async () => {
    const { port } = await listen((socket) => socket.write(page("ok")));
    const net = network();
    const answers = [[PUBLIC], ["127.0.0.1"]];
    const rebinding = { ...net, resolve: async () => answers.shift() ?? [] };
    await fetchPublic(new URL(`http://rebind.example:${port}/`), limits, rebinding);
    expect(answers).toEqual([["127.0.0.1"]]);
    expect(net.connected).toEqual([PUBLIC]);
    await expect(fetchPublic(new URL(`http://rebind.example:${port}/`), limits, rebinding)).rejects.toThrow(
      "no public address",
    );
  });

  for (const target of ["http://127.0.0.1/", "http://[::1]/", "http://inside.example/", "//0x7f.1/"])
    test(`checks each redirect: to ${target} it does not go`, async () => {
      const { port } = await listen((socket) => socket.write(redirect(target)));
      const net = network({ "inside.example": ["192.168.0.1"] });
      const fetching = fetchPublic(new URL(`http://site.example:${port}/`), limits, net);
      await expect(fetching).rejects.toThrow("no public address");
      await fetching.catch(() => {});
      expect(net.connected).toEqual([PUBLIC]);
    });

  for (const target of [
    "file:///etc/passwd",
    "ftp://site.example/",
    "javascript:alert(1)",
    "data:text/html,x",
  ])
    test(`follows no redirect to ${target}`, async () => {
      const { port } = await listen((socket) => socket.write(redirect(target)));
      await expect(fetchPublic(new URL(`http://site.example:${port}/`), limits, network())).rejects.toThrow(
        "Only http and https",
      );
    });

  test("follows redirects to public addresses, and returns the final URL", async () => {
    const { port } = await listen((socket, request) =>
      socket.write(request.startsWith("GET /end ") ? page("there") : redirect("/end")),
    );
    const found = await fetchPublic(new URL(`http://site.example:${port}/`), limits, network());
    expect(found.url.pathname).toBe("/end");
  });

  test("gives up after five redirects", async () => {
    const { port, seen } = await listen((socket) => socket.write(redirect("/again")));
    await expect(fetchPublic(new URL(`http://site.example:${port}/`), limits, network())).rejects.toThrow(
      "redirects too often",
    );
    await until(() => seen.connections === 6);
  });

  describe("keeps cookies within a chain of redirects", () => {
    /** The cookies that each request sends, where each redirect sets these. */
    const cookiesSent = async (steps: Readonly<Record<string, readonly [to: string, ...set: string[]]>>) => {
      const { port, seen } = await listen((socket, request) => {
        const [, path = ""] = request.split(" ");
        const [to, ...set] = steps[path] ?? [];
        const lines = set.map((cookie) => `Set-Cookie: ${cookie}\r\n`).join("");
        socket.write(
          to === undefined
            ? page("ok")
            : `HTTP/1.1 302 Found\r\nLocation: ${to.replace("PORT", String(port))}\r\n${lines}Content-Length: 0\r\n\r\n`,
        );
      });
      const net = network();
      for (let round = 0; round < 2; round++)
        await fetchPublic(new URL(`http://site.example:${port}/1`), limits, net);
      const sent = seen.requests.map((request) => /^cookie: (.*?)\r$/im.exec(request)?.[1]);
      const half = sent.length / 2;
      // The next chain knows nothing of them.
      expect(sent.slice(half)).toEqual(sent.slice(0, half));
      return sent.slice(0, half);
    };

    test("to the host that set them alone, whatever they say", async () => {
      expect(
        await cookiesSent({
          "/1": ["/2", "a=1; Path=/elsewhere; HttpOnly", "b=x y", "c="],
          "/2": ["http://other.example:PORT/3", "a=2; Domain=example", "c=3"],
          "/3": ["http://site.example:PORT/4", "d=4"],
        }),
      ).toEqual([undefined, "a=1; b=x y; c=", undefined, "b=x y; a=2; c=3"]);
    });

    test("but none that are deleted, for TLS only, or no cookies", async () => {
      expect(
        await cookiesSent({
          "/1": ["/2", "a=1", "b=1", "s=1; Secure", "=x", "no", "u=\u00e9"],
          "/2": ["/3", "a=; Max-Age=0", "b=; expires=Thu, 01 Jan 1970 00:00:00 GMT"],
        }),
      ).toEqual([undefined, "a=1; b=1", undefined]);
    });

    test("8,000 characters of them at most", async () => {
      const many = Array.from({ length: 10 }, (_, index) => `n${index}=${"x".repeat(1_000)}`);
      const [, sent = ""] = await cookiesSent({ "/1": ["/2", ...many] });
      expect(sent).toBe(many.slice(0, 7).join("; "));
    });
  });

  describe("reads a page that leads to another", () => {
    const leading = (target: string) => async (response: PublicResponse) => {
      const text = (await Array.fromAsync(response.body()))
        .map((piece) => String.fromCharCode(...piece))
        .join("");
      return response.url.pathname === "/1" ? new LeadsTo(new URL(target, response.url), text) : text;
    };

    test("by the rules of redirects, with the cookies", async () => {
      const { port, seen } = await listen((socket, request) =>
        socket.write(request.startsWith("GET /1 ") ? page("one", "Set-Cookie: a=1\r\n") : page("two")),
      );
      const url = new URL(`http://site.example:${port}/1`);
      expect(await readPublic(url, limits, network(), leading("/2"))).toBe("two");
      expect(seen.requests[1]).toMatch(/^cookie: a=1\r$/im);
      expect(await readPublic(url, { ...limits, redirects: 0 }, network(), leading("/2"))).toBe("one");
    });

    for (const target of ["http://127.0.0.1/", "http://inside.example/", "file:///etc/passwd"])
      test(`but not to ${target}`, async () => {
        const { port } = await listen((socket) => socket.write(page("one")));
        const net = network({ "inside.example": ["192.168.0.1"] });
        const url = new URL(`http://site.example:${port}/1`);
        expect(await readPublic(url, limits, net, leading(target))).toBe("one");
        expect(net.connected).toEqual([PUBLIC]);
      });

    test("passes on what has come when the time is over", async () => {
      const { port, seen } = await listen((socket) =>
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nabc"),
      );
      const url = new URL(`http://site.example:${port}/`);
      const come: number[] = [];
      const reading = readPublic(url, { ...limits, timeout: 2_000 }, network(), async ({ body }) => {
        for await (const piece of body()) come.push(...piece);
      });
      await expect(reading).rejects.toThrow("timed out");
      expect(String.fromCharCode(...come)).toBe("abc");
      await until(() => seen.closed === 1);
    });

    test("closes the connection of a body of which enough was read", async () => {
      const { port, seen } = await listen((socket) =>
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nabc"),
      );
      const url = new URL(`http://site.example:${port}/`);
      const first = await readPublic(url, limits, network(), async ({ body }) => {
        for await (const piece of body()) return piece.length;
        return 0;
      });
      expect(first).toBe(3);
      await until(() => seen.closed === 1);
    });
  });

  const quick = { ...limits, timeout: 300 };
  const stalls: Record<string, (socket: Socket) => void> = {
    "never answers": () => {},
    "stops within its headers": (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Type"),
    "stops within its body": (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nabc"),
    "sends a byte now and then": (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n");
      const timer = setInterval(() => socket.write("a"), 20);
      socket.on("close", () => clearInterval(timer));
    },
    "redirects slowly, again and again": (socket) => setTimeout(() => socket.write(redirect("/on")), 120),
  };
  for (const [name, answer] of Object.entries(stalls))
    test(`a server that ${name} is left in time, and its connection closed`, async () => {
      const { port, seen } = await listen(answer);
      await expect(fetchPublic(new URL(`http://site.example:${port}/`), quick, network())).rejects.toThrow(
        "timed out",
      );
      await until(() => seen.closed === seen.connections && seen.closed > 0);
    });

  test("a name that does not resolve in time is given up", async () => {
    const stuck = { ...network(), resolve: () => new Promise<string[]>(() => {}) };
    await expect(fetchPublic(new URL("http://stuck.example/"), quick, stuck)).rejects.toThrow("timed out");
  });

  test("reads only the beginning of an endless body, and closes the connection", async () => {
    const { port, seen } = await listen((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n");
      const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
      const more = () => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on("drain", more);
      more();
    });
    const found = await fetchPublic(new URL(`http://site.example:${port}/`), limits, network());
    expect(found.bytes).toHaveLength(limits.maxBytes);
    await until(() => seen.closed === 1);
  });

  test("decodes only the beginning of a compressed body", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const { port } = await listen((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    });
    const before = process.memoryUsage.rss();
    const found = await fetchPublic(new URL(`http://site.example:${port}/`), limits, network());
    expect(found.bytes).toHaveLength(limits.maxBytes);
    expect(process.memoryUsage.rss() - before).toBeLessThan(48 * 1024 * 1024);
  });

  const broken: Record<string, string> = {
    "no HTTP": "SSH-2.0-OpenSSH_9.9\r\n",
    "headers without end": `HTTP/1.1 200 OK\r\n${`X: ${"a".repeat(60_000)}\r\n`.repeat(40)}`,
    "what is not gzip": page("not gzip", "Content-Encoding: gzip\r\n"),
    "a redirect to what is no URL": redirect("http://["),
  };
  for (const [name, answer] of Object.entries(broken))
    test(`a server that sends ${name} is an error, nothing worse`, async () => {
      const { port } = await listen((socket) => {
        socket.write(answer);
        socket.end();
      });
      await expect(fetchPublic(new URL(`http://site.example:${port}/`), limits, network())).rejects.toThrow(
        FetchError,
      );
    });

  test("fetches at most sixteen pages at once", async () => {
    const stuck = { ...network(), resolve: () => new Promise<string[]>(() => {}) };
    const waiting = Array.from({ length: 16 }, () =>
      fetchPublic(new URL("http://stuck.example/"), quick, stuck).catch(() => {}),
    );
    await expect(fetchPublic(new URL("http://one.example/"), quick, stuck)).rejects.toThrow("Too many");
    await Promise.all(waiting);
    await expect(fetchPublic(new URL("http://stuck.example/"), quick, stuck)).rejects.toThrow("timed out");
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
