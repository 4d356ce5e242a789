/** @jsxImportSource #jsx */
import type { Markup } from "../../web/jsx/preact.js";
import { groundOf, letterOf } from "../../web/letters.ts";
import { ownIconUrl } from "../../web/site/site-pictures.ts";
import type { SiteSettings } from "../../web/site/site-settings.ts";

/** The first letter of a name beside it, on a tint that the name has everywhere. @param site its picture comes first */
export function Initial({
  name,
  site,
}: {
  readonly name: string;
  readonly site?: Pick<SiteSettings, "icon"> | undefined;
}): Markup {
  const picture = site && ownIconUrl(site, "icon-192.png");
  if (picture !== undefined)
    return (
      <img class="initial" src={picture} width={192} height={192} alt="" loading="lazy" decoding="async" />
    );
  return (
    <i class={`initial g${groundOf(name)}`} aria-hidden="true">
      {letterOf(name) ?? ""}
    </i>
  );
}
