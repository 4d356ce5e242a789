import type { Routes } from "../http/endpoint.ts";
import type { ghostApi } from "../protocols/ghost/ghost.ts";
import type { indieAuth } from "../protocols/indieauth/indieauth.ts";
import type { linkdingApi } from "../protocols/linkding/linkding.ts";
import type { micropubApi } from "../protocols/micropub/micropub.ts";

/** The protocols of other projects; each is absent when it is off. */
export interface ProtocolApis {
  /** For clients of linkding; absent when that is off. */
  readonly linkding?: ReturnType<typeof linkdingApi> | undefined;
  /** For websites that read posts from Ghost; absent when that is off. */
  readonly ghost?: ReturnType<typeof ghostApi> | undefined;
  /** For programs that write posts; absent when that is off. */
  readonly micropub?: ReturnType<typeof micropubApi> | undefined;
  /** How these programs sign in; absent also when there are no pages. */
  readonly indieAuth?: ReturnType<typeof indieAuth> | undefined;
}

/** The paths that clients of other projects expect. */
export function protocolRoutes(
  { linkding, ghost, micropub, indieAuth }: ProtocolApis,
  ofPosts: (routes: Routes) => Routes,
): Routes {
  return {
    ...(linkding && linkdingRoutes(linkding)),
    ...(ghost && ofPosts(ghostRoutes(ghost))),
    ...(micropub &&
      ofPosts({
        "/micropub": { GET: micropub.query, POST: micropub.write },
        "/micropub/media": { POST: micropub.upload },
      })),
    ...(indieAuth && {
      "/.well-known/oauth-authorization-server": { GET: indieAuth.endpoints.metadata },
      "/indieauth/authorize": { GET: indieAuth.pages.show, POST: indieAuth.endpoints.profile },
      "/indieauth/authorize/decide": { POST: indieAuth.pages.decide },
      "/indieauth/token": { POST: indieAuth.endpoints.token },
      "/indieauth/introspect": { POST: indieAuth.endpoints.introspect },
      "/indieauth/revoke": { POST: indieAuth.endpoints.revoke },
    }),
  };
}

/** What clients of linkding call below its base URL, `/linkding`. */
function linkdingRoutes({ server, bookmarks, tags, pages }: ReturnType<typeof linkdingApi>): Routes {
  return {
    "/linkding/health": { GET: server.health },
    "/linkding/api/": { GET: server.root },
    "/linkding/api/user/profile/": { GET: server.profile },
    "/linkding/api/bundles/": { GET: server.nothing },
    "/linkding/api/bookmarks/": { GET: bookmarks.list, POST: bookmarks.create },
    "/linkding/api/bookmarks/archived/": { GET: bookmarks.archived },
    "/linkding/api/bookmarks/shared/": { GET: bookmarks.shared },
    "/linkding/api/bookmarks/check/": { GET: bookmarks.check },
    "/linkding/api/bookmarks/{id}/": {
      GET: bookmarks.read,
      PUT: bookmarks.change,
      PATCH: bookmarks.change,
      DELETE: bookmarks.remove,
    },
    "/linkding/api/bookmarks/{id}/archive/": { POST: bookmarks.archive },
    "/linkding/api/bookmarks/{id}/unarchive/": { POST: bookmarks.unarchive },
    "/linkding/api/bookmarks/{id}/assets/": { GET: server.nothing },
    "/linkding/api/tags/": { GET: tags.list, POST: tags.create },
    "/linkding/api/tags/{id}/": { GET: tags.read, DELETE: tags.remove },
    "/linkding": { GET: pages.list },
    "/linkding/": { GET: pages.list },
    "/linkding/bookmarks": { GET: pages.list },
    "/linkding/bookmarks/new": { GET: pages.add },
  };
}

/** Ghost's Content API, for websites that show the posts of a Ghost. */
function ghostRoutes(ghost: ReturnType<typeof ghostApi>): Routes {
  return {
    "/ghost/api/content/posts/": { GET: ghost.posts },
    "/ghost/api/content/posts/{id}/": { GET: ghost.post },
    "/ghost/api/content/posts/slug/{slug}/": { GET: ghost.post },
    "/ghost/api/content/pages/": { GET: ghost.pages },
    "/ghost/api/content/pages/{id}/": { GET: ghost.page },
    "/ghost/api/content/pages/slug/{slug}/": { GET: ghost.page },
    "/ghost/api/content/tags/": { GET: ghost.tags },
    "/ghost/api/content/tags/{id}/": { GET: ghost.tag },
    "/ghost/api/content/tags/slug/{slug}/": { GET: ghost.tag },
    "/ghost/api/content/authors/": { GET: ghost.authors },
    "/ghost/api/content/authors/{id}/": { GET: ghost.author },
    "/ghost/api/content/authors/slug/{slug}/": { GET: ghost.author },
    "/ghost/api/content/settings/": { GET: ghost.settings },
    "/ghost/api/content/tiers/": { GET: ghost.tiers },
    "/ghost/api/{version}/content/{rest...}/": { GET: ghost.earlier },
  };
}
