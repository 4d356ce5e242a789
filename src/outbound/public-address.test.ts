import { describe, expect, test } from "bun:test";
import { isPublicAddress } from "./public-address.ts";

/** The IP address of a URL's host, in the form of the URL standard. */
const addressIn = (host: string) => new URL(`http://${host}/`).hostname.replace(/^\[(.*)\]$/, "$1");

const NOT_PUBLIC = [
  // Loopback, and this host, in all their spellings.
  "127.0.0.1",
  "127.1",
  "127.255.255.254",
  "0x7f.0.0.1",
  "0x7f000001",
  "2130706433",
  "017700000001",
  "0177.0.0.01",
  "127.0.0.1.",
  "①②⑦.⓪.⓪.①",
  "0",
  "0.0.0.0",
  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  // Private networks.
  "10.0.0.1",
  "10.255.255.255",
  "0xa.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "3232235521",
  "[fc00::1]",
  "[fd12:3456:789a::1]",
  "[::ffff:192.168.0.1]",
  // Link-local, and the metadata services of clouds.
  "169.254.169.254",
  "2852039166",
  "0xa9fea9fe",
  "[fe80::1]",
  "[fd00:ec2::254]",
  "[::ffff:a9fe:a9fe]",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  // IPv4 inside IPv6: translators, 6to4, Teredo.
  "[64:ff9b::7f00:1]",
  "[64:ff9b:1::a00:1]",
  "[2002:7f00:1::1]",
  "[2001:0:7f00:1::1]",
  // Shared, reserved, multicast, documentation.
  "100.64.0.1",
  "198.18.0.1",
  "192.0.2.1",
  "198.51.100.7",
  "203.0.113.7",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "[ff02::1]",
  "[2001:db8::1]",
  "[3fff::1]",
  "[100::1]",
  "[fec0::1]",
];

describe("isPublicAddress", () => {
  for (const host of NOT_PUBLIC)
    test(`${host} is not public`, () => expect(isPublicAddress(addressIn(host))).toBe(false));

  for (const host of [
    "1.1.1.1",
    "93.184.215.14",
    "172.32.0.1",
    "100.128.0.1",
    "[2606:4700::1111]",
    "[2a00::1]",
  ])
    test(`${host} is public`, () => expect(isPublicAddress(addressIn(host))).toBe(true));

  test("an invalid address is not public", () => {
    for (const text of ["", "localhost", "2606:4700::1111%eth0", "1.1.1.1/8", "[2606:4700::1]"])
      expect(isPublicAddress(text)).toBe(false);
  });
});
