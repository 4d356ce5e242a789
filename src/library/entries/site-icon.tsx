/** @jsxImportSource #jsx */
import { urlParts } from "../../search/text/urls.ts";
import type { Markup } from "../../web/jsx/preact.js";
import { groundOf, letterOf } from "../../web/letters.ts";
import { local, type SafeUrl, segment, twiceAsWide } from "../../web/urls.ts";
import type { LibraryBookmark } from "../library-store.ts";
import { displayHost } from "./shown-text.ts";

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
  const letter = letterOf(host);
  if (letter === undefined) return null;
  return (
    <i class={`site g${groundOf(host)}`} aria-hidden="true">
      {letter}
    </i>
  );
}

function iconUrl(host: string, hash: string, side: 16 | 32): SafeUrl {
  return local(`/library/icons/${segment(host)}/${hash}-${side}.webp`);
}
