import { lookup } from "node:dns/promises";
import { accessSync, constants } from "node:fs";
import { messageOf } from "../../errors.ts";
import { eachHost, schemaOf } from "../database-url.ts";
import { isWithoutRights } from "./errors.ts";
import { NoHost } from "./hosts.ts";

/** Why the database of this URL cannot be used, for the person who wrote the URL. */
export async function whyUnusable(url: string, error: unknown): Promise<string> {
  if (error instanceof NoHost) return whyNone(error);
  if (isRefused(error)) return whyRefused(url);
  const unreadable = unreadableFile(url);
  if (unreadable !== undefined) return `${unreadable} cannot be read`;
  const reason = messageOf(error);
  const hint = TLS_HINTS[codeOf(error)];
  if (hint !== undefined) return `${reason}. ${hint}`;
  return isWithoutRights(error) ? `${reason}. ${missingRight(reason, url)}` : reason;
}

async function whyNone({ reasons }: NoHost): Promise<string> {
  const each = reasons.map(
    async ({ url, error }) => `${new URL(url).host}: ${await whyUnusable(url, error)}`,
  );
  return (await Promise.all(each)).join("; ");
}

function missingRight(reason: string, url: string): string {
  // For the tables of a new database: since PostgreSQL 15, only the owner may create some in `public`.
  if (/permission denied for schema/.test(reason))
    return `The role may not create tables there. As a superuser, in this database: grant create on schema ${schemaOf(url) ?? "public"} to ${roleOf(url)}`;
  // For a site's schema.
  if (/permission denied for database/.test(reason))
    return `The role may not create schemas there. As a superuser: grant create on database "${databaseOf(url)}" to ${roleOf(url)}`;
  return "The role has too few rights: make it the owner of the tables";
}

function roleOf(url: string): string {
  return `"${decodeURIComponent(new URL(eachHost(url)[0]).username).replaceAll('"', '""')}"`;
}

function databaseOf(url: string): string {
  return decodeURIComponent(new URL(eachHost(url)[0]).pathname.slice(1)).replaceAll('"', '""');
}

/** Parameters of the URL that name files, as in libpq. */
const FILES = ["sslrootcert", "sslcert", "sslkey"];

/** The first file in the URL that cannot be read, with its parameter. */
function unreadableFile(url: string): string | undefined {
  const { searchParams } = new URL(eachHost(url)[0]);
  const name = FILES.find((each) => searchParams.has(each) && !isReadable(searchParams.get(each) ?? ""));
  return name && `${name}=${searchParams.get(name)}`;
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

const UNKNOWN_AUTHORITY =
  "The certificate of the server is of an authority that is unknown here: name the authority's file in the URL, as sslrootcert=/path/ca.pem";

/** Hints by the code of a TLS error. */
const TLS_HINTS: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID:
    "Use a host in the URL that is in the certificate of the server, or sslmode=verify-ca, which accepts any host",
};

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Whether the driver could not connect: its error is the same for a host that is down and an unknown one. */
function isRefused(error: unknown): boolean {
  return codeOf(error) === "ERR_POSTGRES_CONNECTION_REFUSED";
}

async function whyRefused(url: string): Promise<string> {
  const { hostname, port } = new URL(eachHost(url)[0]);
  const host = hostname.replace(/^\[|\]$/g, "");
  const isKnown = await lookup(host).then(
    () => true,
    () => false,
  );
  return isKnown
    ? `nothing listens at ${hostname}:${port || 5432}. Check that PostgreSQL is running and can be reached from this machine`
    : `the host ${hostname} is unknown`;
}
