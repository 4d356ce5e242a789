import type { Sql } from "../database/database.ts";
import type { RequestStamp } from "../database/request-stamp.ts";
import type { Caller } from "../http/access.ts";
import type { Client } from "../http/client/client.ts";
import type { DateFormatter } from "./date-formatter.ts";
import type { Messages } from "./messages/en.ts";
import type { SiteSettings } from "./site/site-settings.ts";

/** What the handler of a page gets besides the request's values. */
export interface PageContext {
  readonly request: Request;
  readonly stamp: RequestStamp;
  readonly client: Client;
  readonly caller: Caller;
  readonly path: string;
  readonly search: string;
  /** Reads for this page: of one snapshot if the contract says `shared` or `inSnapshot`. */
  readonly read: Sql;
  readonly site: SiteSettings;
  readonly messages: Messages;
  readonly dates: DateFormatter;
}
