import { describe, expect, test } from "bun:test";
import { Hosts, hostName, isLoopback } from "./hosts.ts";

const misdirected = expect.objectContaining({ reason: "misdirected" });
const malformed = expect.objectContaining({ reason: "malformed" });

describe("hostName", () => {
  const names: Record<string, string | null> = {
    "Example.COM:8000": "example.com",
    "example.com.": "example.com",
    "127.0.0.1:80": "127.0.0.1",
    "[::1]:80": "[::1]",
    "[0:0::1]": "[::1]",
    "[::ffff:127.0.0.1]": "[::ffff:7f00:1]",
    "localhost:": "localhost",
    "[::1]:": "[::1]",
    "": null,
    ":": null,
    "a::": null,
    ":80": null,
    "a:b": null,
    "a:123456": null,
    "a:65536": null,
    "a:65535": "a",
    "a/b": null,
    "a@b": null,
    "[::g]": null,
    "[127.0.0.1]": null,
    "::1": null,
    é: null,
  };
  for (const [header, name] of Object.entries(names)) {
    test(`of "${header}" is ${name}`, () => {
      expect(hostName(header)).toBe(name);
    });
  }
});

describe("isLoopback", () => {
  test("accepts loopback names and addresses, and no others", () => {
    for (const name of ["localhost", "a.localhost", "127.0.0.1", "127.255.255.255", "[::1]", "::1"])
      expect(isLoopback(name)).toBeTrue();
    for (const name of [
      "example.com",
      "notlocalhost",
      "127.example.com",
      "128.0.0.1",
      "0.0.0.0",
      "[::2]",
      "",
    ])
      expect(isLoopback(name)).toBeFalse();
  });
});

describe("Hosts", () => {
  test("on a loopback address accepts loopback hosts, PUBLIC_URL and ALLOWED_HOSTS", () => {
    const hosts = new Hosts({ loopback: true, publicHost: "public.example", allowed: ["*.example.org"] });
    for (const host of ["localhost", "public.example:1", "a.example.org"])
      expect(() => hosts.check(host)).not.toThrow();
    for (const host of ["example.org", "evil.example"]) expect(() => hosts.check(host)).toThrow(misdirected);
  });

  test("on other addresses accepts every host until ALLOWED_HOSTS is set", () => {
    const any = new Hosts({ loopback: false, allowed: [] });
    expect(() => any.check("evil.example")).not.toThrow();
    const few = new Hosts({ loopback: false, allowed: ["links.example"] });
    expect(() => few.check("links.example")).not.toThrow();
    for (const host of ["evil.example", "localhost"]) expect(() => few.check(host)).toThrow(misdirected);
  });

  test("calls a missing or invalid header malformed, whatever hosts it accepts", () => {
    const any = new Hosts({ loopback: false, allowed: ["*"] });
    for (const host of [null, "", "a b"]) expect(() => any.check(host)).toThrow(malformed);
  });

  test("judges correctly after any number of hosts", () => {
    const hosts = new Hosts({ loopback: true, allowed: [] });
    for (let index = 0; index < 3_000; index++)
      expect(() => hosts.check(`${index}.example`)).toThrow(misdirected);
    for (let index = 0; index < 3_000; index++) expect(() => hosts.check(`${index}.localhost`)).not.toThrow();
    expect(() => hosts.check("0.example")).toThrow(misdirected);
  });
});
