import type { Routes } from "../http/endpoint.ts";
import type { docsApi } from "../http/openapi/docs-api.ts";
import type { healthApi } from "../http/service/health-api.ts";
import type { rootApi } from "../http/service/root-api.ts";
import type { linkblogApi } from "../linkblog/linkblog-api.ts";
import type { undoApi } from "../undo/undo-api.ts";
import { type AccountApis, accountRoutes } from "./account-routes.ts";
import { type BookmarkApis, bookmarkRoutes } from "./bookmark-routes.ts";
import type { DuePosts } from "./due-posts.ts";
import { pageRoutes, type WebPages } from "./page-routes.ts";
import { type PostApis, postRoutes } from "./post-routes.ts";
import { type ProtocolApis, protocolRoutes } from "./protocol-routes.ts";

/** The endpoints of everything that a server may serve; a service that is off is absent. */
export interface Apis extends BookmarkApis, ProtocolApis, PostApis, AccountApis {
  /** Absent unless both services run. */
  readonly linkblog?: ReturnType<typeof linkblogApi> | undefined;
  /** Absent, as are the documents, while the whole surface is not loaded: both describe all of it. */
  readonly root?: ReturnType<typeof rootApi> | undefined;
  readonly docs?: ReturnType<typeof docsApi> | undefined;
  readonly undo: ReturnType<typeof undoApi>;
  readonly health: ReturnType<typeof healthApi>;
  /** Absent when there are no pages. */
  readonly web?: WebPages | undefined;
  /** Absent when the posts are. */
  readonly duePosts?: DuePosts | undefined;
}

/**
 * The whole URL surface, one table for each part of it. The slash form written in a table is the canonical one; the
 * other is redirected to it. HEAD works wherever GET does, OPTIONS everywhere.
 */
export function routesOf(apis: Apis): Routes {
  const { linkblog, undo, root, docs, health, web, duePosts } = apis;
  /** Those that show or change posts. */
  const ofPosts = (routes: Routes) => duePosts?.before(routes) ?? routes;
  return {
    ...bookmarkRoutes(apis),
    ...protocolRoutes(apis, ofPosts),
    ...(linkblog && ofPosts({ "/bookmarks/{id}/publish": { POST: linkblog.publish } })),
    ...ofPosts(postRoutes(apis)),
    ...ofPosts({
      "/api/undo/": { GET: undo.list },
      "/api/undo/{key}/": { POST: undo.undo },
    }),
    ...(root && { "/api/": { GET: root.list } }),
    ...accountRoutes(apis),
    ...(docs && {
      ...ofPosts({ "/": { GET: web?.home ?? docs.home } }),
      "/docs": { GET: docs.page },
      "/docs/{name}": { GET: docs.file },
      "/openapi.json": { GET: docs.openapi },
    }),
    "/healthz": { GET: health.live },
    "/readyz": { GET: health.ready },
    ...(web && pageRoutes(web, ofPosts)),
  };
}
