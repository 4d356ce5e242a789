import type { Routes } from "../../http/endpoint.ts";
import { type AuthorizePagesDependencies, authorizePages } from "./authorize-pages.tsx";
import { indieAuthEndpoints } from "./endpoints.ts";
import { RESOURCE_METADATA } from "./protected-resource.ts";

/**
 * IndieAuth: programs for Micropub sign in with the site's address and get a token (docs/other-clients.md). Assistants get
 * theirs in the same way (docs/agents.md).
 */
export function indieAuth(dependencies: AuthorizePagesDependencies): Routes {
  const { show, decide } = authorizePages(dependencies);
  const { metadata, resource, profile, token, introspect, revoke } = indieAuthEndpoints(dependencies);
  return {
    ...(dependencies.assistants.length > 0 && {
      [RESOURCE_METADATA.mcp]: { GET: resource },
      [RESOURCE_METADATA.site]: { GET: resource },
    }),
    "/.well-known/oauth-authorization-server": { GET: metadata },
    "/indieauth/authorize": { GET: show, POST: profile },
    "/indieauth/authorize/decide": { POST: decide },
    "/indieauth/token": { POST: token },
    "/indieauth/introspect": { POST: introspect },
    "/indieauth/revoke": { POST: revoke },
  };
}

/** Links by which Micropub clients discover their endpoints. */
export const DISCOVERY = [
  { rel: "micropub", path: "/micropub" },
  { rel: "indieauth-metadata", path: "/.well-known/oauth-authorization-server" },
  // For clients that predate IndieAuth server metadata.
  { rel: "authorization_endpoint", path: "/indieauth/authorize" },
  { rel: "token_endpoint", path: "/indieauth/token" },
] as const;
