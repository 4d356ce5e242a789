/** @jsxImportSource #jsx */
import type { Markup } from "../../web/jsx/preact.js";
import { displayHost } from "./shown-text.ts";

/** The number of grounds, which `library.css` has: white has a contrast of 4.5 : 1 with each of them. */
export const GROUNDS = 6;

/** The first letter of a link's site, on a color that all its links have: a list is read at a glance. */
export function SiteLetter({ url }: { readonly url: string }): Markup | null {
  const host = displayHost(url);
  const letter = /[\p{L}\p{N}]/u.exec(host)?.[0];
  if (letter === undefined) return null;
  return (
    <i class={`site g${groundOf(host)}`} aria-hidden="true">
      {letter.toUpperCase()}
    </i>
  );
}

function groundOf(host: string): number {
  let sum = 0;
  for (let index = 0; index < host.length; index++) sum = (31 * sum + host.charCodeAt(index)) % 65_521;
  return sum % GROUNDS;
}
