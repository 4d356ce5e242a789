import type { accountApi } from "./accounts/account-api.ts";
import type { bookmarkApi } from "./bookmarks/bookmark-api.ts";
import type { captureApi } from "./bookmarks/capture/capture-api.ts";
import type { Routes } from "./http/endpoint.ts";
import type { healthApi } from "./http/health-api.ts";
import type { docsApi } from "./http/openapi/docs-api.ts";
import type { commentApi } from "./posts/comment-api.ts";
import type { postApi } from "./posts/post-api.ts";

/** The endpoints of everything that a server may serve; a service that is off is absent. */
export interface Apis {
  readonly bookmarks?: ReturnType<typeof bookmarkApi> | undefined;
  /** Absent when pages are not fetched. */
  readonly capture?: ReturnType<typeof captureApi> | undefined;
  readonly posts?: ReturnType<typeof postApi> | undefined;
  readonly drafts?: ReturnType<typeof postApi> | undefined;
  readonly comments?: ReturnType<typeof commentApi> | undefined;
  readonly accounts: ReturnType<typeof accountApi>;
  readonly docs: ReturnType<typeof docsApi>;
  readonly health: ReturnType<typeof healthApi>;
}

/**
 * The whole URL surface. The slash form written here is the canonical one; the other is redirected to it.
 * HEAD stands wherever GET does, OPTIONS everywhere.
 */
export function routesOf({
  bookmarks,
  capture,
  posts,
  drafts,
  comments,
  accounts,
  docs,
  health,
}: Apis): Routes {
  return {
    ...(bookmarks && {
      "/bookmarks/": { GET: bookmarks.list, POST: bookmarks.create },
      "/bookmarks/{id}": {
        GET: bookmarks.read,
        PUT: bookmarks.replace,
        PATCH: bookmarks.patch,
        DELETE: bookmarks.remove,
      },
    }),
    ...(capture && { "/bookmarks/page": { GET: capture.page } }),
    ...(posts && {
      "/api/posts/": { GET: posts.list, POST: posts.create },
      "/api/posts/{id}/": { GET: posts.read, PUT: posts.replace, PATCH: posts.patch, DELETE: posts.remove },
    }),
    ...(drafts && {
      "/api/drafts/": { GET: drafts.list, POST: drafts.create },
      "/api/drafts/{id}/": {
        GET: drafts.read,
        PUT: drafts.replace,
        PATCH: drafts.patch,
        DELETE: drafts.remove,
      },
    }),
    ...(comments && {
      ...(comments.create && { "/api/posts/{id}/comments/": { POST: comments.create } }),
      "/api/comments/": { GET: comments.list },
      "/api/comments/{id}/": { GET: comments.read, PUT: comments.decide, DELETE: comments.remove },
    }),
    "/api/token/": { POST: accounts.createToken, DELETE: accounts.revokeToken },
    "/api/session/": {
      GET: accounts.readSession,
      POST: accounts.createSession,
      DELETE: accounts.deleteSession,
    },
    "/": { GET: docs.home },
    "/docs": { GET: docs.page },
    "/docs/{name}": { GET: docs.file },
    "/openapi.json": { GET: docs.openapi },
    "/healthz": { GET: health.live },
    "/readyz": { GET: health.ready },
  };
}
