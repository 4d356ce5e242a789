import { type AuthorizePagesDependencies, authorizePages } from "./authorize-pages.tsx";
import { indieAuthEndpoints } from "./endpoints.ts";

/** IndieAuth: programs for Micropub sign in with the site's address and get a token (docs/other-clients.md). */
export function indieAuth(dependencies: AuthorizePagesDependencies) {
  return { pages: authorizePages(dependencies), endpoints: indieAuthEndpoints(dependencies) };
}
