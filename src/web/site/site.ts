import type { Awaitable } from "../../awaitable.ts";
import { CachedRead } from "../../database/cached-read.ts";
import type { Database } from "../../database/database.ts";
import type { Stamps } from "../../database/moment.ts";
import type { SiteSettings } from "./site-settings.ts";
import { readSite } from "./site-store.ts";

/** The current settings of the site, in every process. */
export class Site {
  readonly #settings: CachedRead<SiteSettings>;

  constructor(database: Database) {
    this.#settings = new CachedRead(database, readSite);
  }

  /** @param moment of the request that is served */
  settings(moment?: Stamps): Awaitable<SiteSettings> {
    return this.#settings.current(moment);
  }
}
