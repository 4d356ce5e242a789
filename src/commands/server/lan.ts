import { networkInterfaces } from "node:os";
import { hostInUrl } from "../../http/client/address.ts";

/** All addresses of a machine, for `--lan`. */
export const EVERY_ADDRESS = "0.0.0.0";

/** The message of `--lan` once the server listens: its addresses on the network, and the limits of plain HTTP. */
export function lanText(port: number): string {
  const addresses = lanAddresses().map((address) => `  http://${hostInUrl(address)}:${port}`);
  return [
    addresses.length > 0
      ? "On your network, this server is at:"
      : "This machine has no network address that other devices could reach.",
    ...addresses,
    "Without HTTPS, phones cannot share pages to this server, and others on the network can read the traffic.",
  ].join("\n");
}

/** The addresses under which others of the local network reach this machine. */
function lanAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4")
    .map(({ address }) => address);
}
