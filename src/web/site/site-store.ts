import type { Awaitable } from "../../awaitable.ts";
import { CachedRead } from "../../database/cached-read.ts";
import type { Database, Sql } from "../../database/database.ts";
import type { Stamps } from "../../database/request-stamp.ts";
import { DEFAULT_SITE, type SiteSettings } from "./site-settings.ts";

/** The site's settings, with defaults for unset ones. */
export async function readSite(sql: Sql): Promise<SiteSettings> {
  const rows = await sql<{ name: string; value: string }>`select name, value from site_settings`;
  const known = rows.filter(({ name }) => Object.hasOwn(DEFAULT_SITE, name));
  const given = known.map(({ name, value }) => [name, JSON.parse(value)]);
  return { ...DEFAULT_SITE, ...Object.fromEntries(given) } as SiteSettings;
}

/** Some of the settings; undefined ones are left as they are. */
type SomeSettings = { readonly [name in keyof SiteSettings]?: SiteSettings[name] | undefined };

/** Stores some of the settings, and leaves the others. */
export async function saveSite(sql: Sql, changed: SomeSettings, now: Date): Promise<void> {
  for (const [name, value] of Object.entries(changed))
    if (value !== undefined) await saveSiteSetting(sql, name, value, now);
}

/** Stores one setting. @param value as `SITE_SETTINGS` has it */
export async function saveSiteSetting(sql: Sql, name: string, value: unknown, now: Date): Promise<void> {
  await sql`
    insert into site_settings (name, value, updated_at) values (${name}, ${JSON.stringify(value)}, ${now})
    on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`;
}

/** Gives a setting its default again. */
export async function resetSiteSetting(sql: Sql, name: keyof SiteSettings): Promise<void> {
  await sql`delete from site_settings where name = ${name}`;
}

/** The current settings of the site, in every process. */
export class Site {
  readonly #settings: CachedRead<SiteSettings>;

  constructor(database: Database) {
    this.#settings = new CachedRead(database, readSite);
  }

  /** @param stamp of the request that is served */
  settings(stamp?: Stamps): Awaitable<SiteSettings> {
    return this.#settings.current(stamp);
  }
}
