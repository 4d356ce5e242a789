import type { Sql } from "../database/database.ts";
import type { Caller } from "../http/access.ts";
import type { SentRequest } from "../http/endpoint.ts";
import type { DateFormatter } from "./date-formatter.ts";
import type { Messages } from "./messages/en.ts";
import type { SiteSettings } from "./site/site-settings.ts";

/** What the handler of a page gets besides the request's values. */
export interface PageContext extends SentRequest {
  readonly caller: Caller;
  /** Reads for this page: of one snapshot if the contract says `shared` or `inSnapshot`. */
  readonly read: Sql;
  readonly site: SiteSettings;
  readonly messages: Messages;
  readonly dates: DateFormatter;
}
