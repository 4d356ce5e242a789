import { BlockList, isIP } from "node:net";

/** IPv4 blocks outside the public internet (IANA IPv4 Special-Purpose Address Registry). */
const NOT_PUBLIC_4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
  // Looks public, but answers only virtual machines of Azure, as their metadata service does.
  "168.63.129.16/32",
];

/** The one block from which IPv6 addresses of the public internet are given out (RFC 4291, section 2.4). */
const GLOBAL_UNICAST_6 = "2000::/3";

/** What in it is reserved, or carries an IPv4 address inside (IANA IPv6 Special-Purpose Address Registry). */
const NOT_PUBLIC_6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

const notPublic4 = blockList(NOT_PUBLIC_4, "ipv4");
const globalUnicast6 = blockList([GLOBAL_UNICAST_6], "ipv6");
const notPublic6 = blockList(NOT_PUBLIC_6, "ipv6");

/**
 * Whether a literal address, without brackets, is one of the public internet: not loopback, private, link-local,
 * shared, multicast, reserved or for documentation. IPv4 addresses inside IPv6 ones are never public.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !notPublic4.check(address, "ipv4");
    case 6:
      // A zone (`fe80::1%eth0`) belongs to addresses of one link alone.
      return (
        !address.includes("%") && globalUnicast6.check(address, "ipv6") && !notPublic6.check(address, "ipv6")
      );
    default:
      return false;
  }
}

function blockList(blocks: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = "", bits] = block.split("/");
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
