import { lookup } from "node:dns/promises";
import { messageOf } from "../../errors.ts";
import { isWithoutRights } from "./errors.ts";

/** Why the database of this URL cannot be used, for the person who wrote the URL. */
export async function whyUnusable(url: string, error: unknown): Promise<string> {
  if (isRefused(error)) return whyRefused(url);
  const reason = messageOf(error);
  return isWithoutRights(error)
    ? `${reason}. The role has too few rights: make it the owner of the database and of its tables`
    : reason;
}

/** Whether the driver could not connect: its error is the same for a host that is down and an unknown one. */
function isRefused(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_POSTGRES_CONNECTION_REFUSED";
}

async function whyRefused(url: string): Promise<string> {
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
