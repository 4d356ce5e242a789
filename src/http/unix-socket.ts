import { once } from "node:events";
import { lstatSync, unlinkSync } from "node:fs";
import { connect } from "node:net";
import { StartError } from "../errors.ts";

/** The path of a host such as `unix:/run/commonplace/http.sock`; undefined for an address or a name. */
export function socketPathOf(host: string): string | undefined {
  return host.startsWith("unix:") ? host.slice("unix:".length) : undefined;
}

/**
 * Makes room for a Unix socket: removes that of a server that has died without removing it.
 * @throws StartError when a server listens on it, or the file is something else
 */
export async function removeStaleSocket(path: string): Promise<void> {
  const file = lstatSync(path, { throwIfNoEntry: false });
  if (file === undefined) return;
  if (!file.isSocket()) throw new StartError(`HOST: ${path} exists and is not a socket.`, 1);
  const reason = await reasonOfRefusal(path);
  if (reason !== "ECONNREFUSED")
    throw new StartError(
      reason === undefined
        ? `HOST: another server listens on ${path}. Stop it, or choose another path.`
        : `HOST: cannot tell whether a server listens on ${path} (${reason}).`,
      1,
    );
  unlinkSync(path);
}

/**
 * Creates a socket that its owner and its group may connect to. No one else can, not even for a moment.
 * @param listen creates it before it returns
 */
export function withSocketMode<T>(listen: () => T): T {
  const before = process.umask(0o117);
  try {
    return listen();
  } finally {
    process.umask(before);
  }
}

/** Why nobody accepts connections there; undefined when somebody does. */
async function reasonOfRefusal(path: string): Promise<string | undefined> {
  const socket = connect({ path });
  try {
    await once(socket, "connect");
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  } finally {
    socket.destroy();
  }
}
