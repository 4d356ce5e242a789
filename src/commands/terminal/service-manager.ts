import type { Log } from "../../log.ts";

/**
 * Tells systemd that the service is ready, when systemd has started it and waits for that (sd_notify(3)). The
 * runtime has no datagram sockets of the kind that this takes, so systemd's own program says it.
 */
export function notifyServiceManager(log: Log): void {
  if (!process.env.NOTIFY_SOCKET) return;
  try {
    Bun.spawn(["systemd-notify", "READY=1"], { stdio: ["ignore", "ignore", "inherit"] });
  } catch (error) {
    log.error("systemd waits to be told that the service is ready, but there is no systemd-notify.", error);
  }
}
