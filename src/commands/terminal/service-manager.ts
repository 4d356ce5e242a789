import type { Log } from "../../log.ts";

/**
 * Notifies systemd that the service is ready, when systemd waits for it (sd_notify(3)). The runtime has no Unix
 * datagram sockets, so this calls systemd's own program.
 */
export function notifyServiceManager(log: Log): void {
  if (!process.env.NOTIFY_SOCKET) return;
  try {
    Bun.spawn(["systemd-notify", "READY=1"], { stdio: ["ignore", "ignore", "inherit"] });
  } catch (error) {
    log.error("systemd waits for readiness, but systemd-notify is not installed.", error);
  }
}
