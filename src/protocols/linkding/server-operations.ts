import type { Access } from "../../http/access.ts";
import { ok } from "../../http/response-data.ts";
import { linkdingOperation } from "./operation.ts";

/** The version of linkding whose API this is; clients compare it. */
const VERSION = "1.46.2";

const NOTHING = { count: 0, next: null, previous: null, results: [] };

/** Operations about the server and the user profile. */
export function serverOperations({ readAccess }: { readonly readAccess: Access }) {
  const health = linkdingOperation({ skipsAuthentication: true }, () =>
    ok({ version: VERSION, status: "healthy" }),
  );

  const root = linkdingOperation({ access: readAccess }, ({ client, path }) => {
    const below = (name: string) => `${client.origin}${path}${name}/`;
    return ok({ bookmarks: below("bookmarks"), tags: below("tags"), bundles: below("bundles") });
  });

  const profile = linkdingOperation({ access: readAccess }, () =>
    ok({
      theme: "auto",
      bookmark_date_display: "relative",
      bookmark_link_target: "_blank",
      web_archive_integration: "disabled",
      tag_search: "strict",
      enable_sharing: false,
      enable_public_sharing: false,
      enable_favicons: false,
      display_url: false,
      permanent_notes: false,
      search_preferences: { sort: "added_desc", shared: "off", unread: "off" },
      version: VERSION,
    }),
  );

  /** Collections of linkding that do not exist here: always empty. */
  const nothing = linkdingOperation({ access: readAccess }, () => ok(NOTHING));

  return { health, root, profile, nothing };
}
