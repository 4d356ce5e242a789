import { networkInterfaces } from "node:os";
import { hostInUrl } from "../../http/client/address.ts";

/** All addresses of a machine, for `--lan`. */
export const EVERY_ADDRESS = "0.0.0.0";

/** What `--lan` says once the server listens: where others of the network reach it, and what does not work there. */
export function lanText(port: number): string {
  const addresses = lanAddresses().map((address) => `  http://${hostInUrl(address)}:${port}`);
  return [
    addresses.length > 0
      ? "In your network this server is at:"
      : "This machine has no address in a network that others could reach.",
    ...addresses,
    "Without https, a phone cannot share pages to it, and others in the network could read along.",
  ].join("\n");
}

/** The addresses under which others of the local network reach this machine. */
function lanAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4")
    .map(({ address }) => address);
}
