import type { WelcomeLink } from "../../accounts/welcome/welcome-link.ts";
import { hostInUrl } from "../../http/client/address.ts";
import { socketPathOf } from "../../http/unix-socket.ts";

/** The URL at which a browser on this machine reaches a server that listens on an address; before a socket, its proxy. */
export function baseUrl(host: string, port: number): string {
  if (socketPathOf(host) !== undefined) return "http://localhost";
  const everywhere = host === "0.0.0.0" || host === "::" || host === "[::]";
  return `http://${everywhere ? "127.0.0.1" : hostInUrl(host)}:${port}`;
}

/** A welcome link and until when it works, for a terminal. @param base without a slash at the end */
export function welcomeText({ secret, expiresAt }: WelcomeLink, base: string): string {
  const time = expiresAt.toLocaleTimeString("en", { timeStyle: "short", hourCycle: "h23" });
  return `Create your account here. The link works once, until ${time}:\n${base}/welcome/${secret}`;
}

/** What helps when the server does not listen where the link says. */
export function otherAddress({ secret }: WelcomeLink): string {
  return `If your server has another address, open /welcome/${secret} there.`;
}
