/** @jsxImportSource #jsx */
import { urlParts } from "../../search/text/urls.ts";
import type { Markup } from "../../web/jsx/preact.js";
import { local, type SafeUrl, segment, twiceAsWide } from "../../web/urls.ts";
import type { LibraryBookmark } from "../library-store.ts";
import { displayHost } from "./shown-text.ts";

/** The number of grounds, which `library.css` has: white has a contrast of 4.5 : 1 with each of them. */
export const GROUNDS = 6;

/**
 * The icon of a link's site; without one, the first letter of the site, on a color that all its links have. A list is read
 * at a glance.
 */
export function SiteIcon({
  entry,
}: {
  readonly entry: Pick<LibraryBookmark, "url" | "icon">;
}): Markup | null {
  const { url, icon } = entry;
  if (icon !== undefined) {
    const at = (side: 16 | 32) => iconUrl(urlParts(url).host, icon, side);
    return (
      <img
        class="site"
        src={at(16)}
        srcset={twiceAsWide(at(32))}
        width={16}
        height={16}
        alt=""
        loading="lazy"
      />
    );
  }
  const host = displayHost(url);
  const letter = /[\p{L}\p{N}]/u.exec(host)?.[0];
  if (letter === undefined) return null;
  return (
    <i class={`site g${groundOf(host)}`} aria-hidden="true">
      {letter.toUpperCase()}
    </i>
  );
}

function iconUrl(host: string, hash: string, side: 16 | 32): SafeUrl {
  return local(`/library/icons/${segment(host)}/${hash}-${side}.webp`);
}

function groundOf(host: string): number {
  let sum = 0;
  for (let index = 0; index < host.length; index++) sum = (31 * sum + host.charCodeAt(index)) % 65_521;
  return sum % GROUNDS;
}
