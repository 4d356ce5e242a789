import { lookup } from "node:dns/promises";

/** Whether the driver could not connect: its error is the same for a host that is down and an unknown one. */
export function isRefused(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_POSTGRES_CONNECTION_REFUSED";
}

/** Why no connection could be made, for the person who wrote the URL. */
export async function whyRefused(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const isKnown = await lookup(host).then(
    () => true,
    () => false,
  );
  return isKnown
    ? `nothing listens at ${hostname}:${port || 5432}. Check that PostgreSQL is running and can be reached from this machine`
    : `the host ${hostname} is unknown`;
}
