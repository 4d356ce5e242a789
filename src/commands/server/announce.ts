import { hasAccounts } from "../../accounts/account-store.ts";
import { createWelcomeLink, type WelcomeLink } from "../../accounts/welcome/welcome-link.ts";
import { isUnpublished } from "../../app/configured-access.ts";
import { welcomeCommandLine } from "../../command-name.ts";
import { type Config, settings } from "../../config/config.ts";
import type { Database } from "../../database/database.ts";
import { sqlitePathOf } from "../../database/database-url.ts";
import { isOpenToOthers } from "../../database/sqlite/file.ts";
import { otherUsersOf } from "../../database/sqlite/locks/exclusive-lock.ts";
import { lockAsServer } from "../../database/sqlite/locks/server-lock.ts";
import { hostInUrl } from "../../http/client/address.ts";
import { socketPathOf } from "../../http/unix-socket.ts";
import type { Log } from "../../log.ts";
import { printable } from "../../printable.ts";
import { readSite } from "../../web/site/site-store.ts";
import { lanText } from "./lan.ts";
import { baseUrl, welcomeText } from "./welcome-text.ts";

/** The owner's progress with the first steps. */
interface Progress {
  readonly hasAccounts: boolean;
  readonly bookmarksAccess: "open" | "read" | "private" | undefined;
  /** Made for a terminal, and shown nowhere else. */
  readonly welcome: WelcomeLink | undefined;
}

export async function readProgress(database: Database, { web }: Config): Promise<Progress> {
  const { bookmarksAccess } = await readSite(database.read);
  const exists = await hasAccounts(database.read);
  const isShown = !exists && web === "on" && process.stdout.isTTY;
  const welcome = isShown ? await createWelcomeLink(database, new Date()) : undefined;
  return { hasAccounts: exists, bookmarksAccess, welcome };
}

/** Announces the server's address, its data and who has access, once it accepts requests. */
export function announce(
  log: Log,
  config: Config,
  port: number,
  location: string,
  progress: Progress,
  lan: boolean,
  workers: readonly number[] = [],
): void {
  const address =
    socketPathOf(config.host) === undefined ? `http://${hostInUrl(config.host)}:${port}` : config.host;
  log.info(`Listening on ${address}`, {
    docs: `${config.publicUrl ?? baseUrl(config.host, port)}/docs`,
    database: location,
  });
  if (sqlitePathOf(config.databaseUrl) !== undefined) warnOfOthers(log, location, workers);
  if (config.services.includes("bookmarks")) announceBookmarks(log, config, progress);
  if (config.services.includes("posts")) announcePosts(log, config);
  if (config.web === "on") announceWelcome(log, config, port, progress);
  if (lan) console.log(lanText(port));
  notifyServiceManager(log);
}

/** The link is printed to the terminal only: logs are stored and read by others. */
function announceWelcome(
  log: Log,
  { publicUrl, host }: Config,
  port: number,
  { hasAccounts, welcome }: Progress,
): void {
  if (welcome !== undefined) console.log(`\n${welcomeText(welcome, publicUrl ?? baseUrl(host, port))}\n`);
  else if (!hasAccounts) {
    const isUsual = String(port) === settings.port.default;
    const command = printable(welcomeCommandLine(isUsual ? undefined : String(port)));
    log.info(
      `This server has no accounts yet. To create the first one, run “${command}” and open the link it prints.`,
    );
  }
}

/** Says who else can open the database's file, and which processes besides our workers have it open. */
function warnOfOthers(log: Log, location: string, workers: readonly number[]): void {
  if (isOpenToOthers(location))
    log.warn(`Other users of this machine can open the database: run chmod 600 ${location}*`);
  const isServedElsewhere = lockAsServer(location);
  const others = otherUsersOf(location).filter((pid) => !workers.includes(pid));
  if (others.length === 0 && isServedElsewhere)
    log.warn(
      "Another server has the database open, in another container or as another user. Stop one of them: WORKERS starts several processes on one file.",
    );
  else if (others.length > 0)
    log.warn(
      others.length === 1
        ? `Process ${others[0]} also has the database open. If it is a server, stop it: WORKERS starts several processes on one file.`
        : `Processes ${others.join(", ")} also have the database open. If they are servers, stop them: WORKERS starts several processes on one file.`,
    );
}

function announceBookmarks(
  log: Log,
  config: Config,
  { bookmarksAccess: chosen, hasAccounts }: Progress,
): void {
  const { bookmarksAccess } = config;
  if (bookmarksAccess !== "auto") log.info(`bookmarks: ${MEANS[bookmarksAccess]}`);
  else if (chosen !== undefined) log.info(`bookmarks: ${MEANS[chosen]}, as chosen in the settings`);
  else if (isUnpublished(config) && !hasAccounts)
    log.warn(
      "bookmarks: anyone on this machine may read and write, until there is an account or BOOKMARKS_ACCESS is set. Before you put a proxy in front, create an account.",
    );
  else
    log.info(
      `bookmarks: ${MEANS.private}, until you choose otherwise in the browser or set BOOKMARKS_ACCESS`,
    );
}

function announcePosts(log: Log, { postsAccess }: Config): void {
  const said = `posts: ${MEANS[postsAccess]}`;
  // A choice that is easily forgotten.
  if (postsAccess === "open") log.warn(`${said} (POSTS_ACCESS=open). Use this for testing only.`);
  else log.info(said);
}

const MEANS = {
  open: "anyone who reaches this address may read and write",
  read: "anyone may read, accounts may write",
  private: "accounts only",
} as const;

/**
 * Notifies systemd that the service is ready, when systemd waits for it (sd_notify(3)). The runtime has no Unix
 * datagram sockets, so this calls systemd's own program.
 */
function notifyServiceManager(log: Log): void {
  if (!process.env.NOTIFY_SOCKET) return;
  try {
    Bun.spawn(["systemd-notify", "READY=1"], { stdio: ["ignore", "ignore", "inherit"] });
  } catch (error) {
    log.error("systemd waits for readiness, but systemd-notify is not installed.", error);
  }
}
