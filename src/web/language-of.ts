import type { Messages } from "./messages/en.ts";
import type { SiteSettings } from "./site/site-settings.ts";

/**
 * The `lang` of what people wrote for readers, such as a post: its own language, else the site's. Undefined where it is that of
 * the page, whose words are those of the program.
 */
export function languageOf(
  site: Pick<SiteSettings, "language">,
  messages: Messages,
  own?: string | null,
): string | undefined {
  return own ?? (site.language === messages.language ? undefined : site.language);
}
