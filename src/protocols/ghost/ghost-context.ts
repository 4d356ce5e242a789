import type { Sql } from "../../database/database.ts";
import type { RenderedPosts } from "../../posts/rendering/rendered-posts.ts";
import type { SiteSettings } from "../../web/site/site-settings.ts";
import type { GhostAuthor } from "./ghost-authors.ts";
import type { GhostQuery } from "./ghost-query.ts";
import type { GhostCall } from "./operation.ts";

/** The inputs of the responses of Ghost's API. */
export interface GhostContext {
  /** In the snapshot of the response. */
  readonly read: Sql;
  readonly rendered: RenderedPosts;
  readonly site: SiteSettings;
  /** Loaded only when a response needs them. */
  readonly authors: () => Promise<readonly GhostAuthor[]>;
  readonly origin: string;
  readonly query: GhostQuery;
  /** The path's parameters. */
  readonly params: GhostCall["params"];
}
