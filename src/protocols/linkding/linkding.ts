import { accessOf } from "../../accounts/scope.ts";
import type { CopyParts } from "../../copies/copy-parts.ts";
import type { Access } from "../../http/access.ts";
import type { Routes } from "../../http/endpoint.ts";
import { ok, type ResponseData } from "../../http/response-data.ts";
import { bookmarkOperations } from "./bookmark-operations.ts";
import { linkdingOperation } from "./operation.ts";
import { singleFileOperation } from "./single-file.ts";
import { tagOperations } from "./tag-operations.ts";

/** The version of linkding whose API this is; clients compare it. */
const VERSION = "1.46.2";

const NOTHING = { count: 0, next: null, previous: null, results: [] };

/** linkding's REST API, for its clients (docs/linkding.md). It is for accounts only, even if the bookmarks are open to everyone. */
export function linkdingApi(copies: CopyParts): Routes {
  const parts = copies.bookmarks;
  const ofAccounts = { ...parts, ...accessOf("private", "bookmarks") };
  const server = serverOperations(ofAccounts);
  const bookmarks = bookmarkOperations(ofAccounts);
  const tags = tagOperations(ofAccounts);
  const pages = linkdingRedirects();
  return {
    "/linkding/health": { GET: server.health },
    "/linkding/api/": { GET: server.root },
    "/linkding/api/user/profile/": { GET: server.profile },
    "/linkding/api/bundles/": { GET: server.nothing },
    "/linkding/api/bookmarks/": { GET: bookmarks.list, POST: bookmarks.create },
    "/linkding/api/bookmarks/archived/": { GET: bookmarks.archived },
    "/linkding/api/bookmarks/shared/": { GET: bookmarks.shared },
    "/linkding/api/bookmarks/check/": { GET: bookmarks.check },
    "/linkding/api/bookmarks/singlefile/": { POST: singleFileOperation(copies) },
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

/** Operations about the server and the user profile. */
function serverOperations({ readAccess }: { readonly readAccess: Access }) {
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

/**
 * Redirects from linkding's pages, which its browser extension, bookmarklets and shortcuts open, to those of the
 * library. They need no account; the library itself does.
 */
function linkdingRedirects() {
  const list = linkdingOperation({ skipsAuthentication: true }, ({ search }) => {
    const q = new URLSearchParams(search).get("q");
    return redirect("/library", { q });
  });

  const add = linkdingOperation({ skipsAuthentication: true }, ({ search }) => {
    const query = new URLSearchParams(search);
    const texts = [query.get("description"), query.get("notes")].filter((text) => text);
    return redirect("/library/new", {
      url: query.get("url"),
      title: query.get("title"),
      text: texts.join("\n\n") || null,
      tags: query.get("tags"),
      auto_close: query.has("auto_close") ? "1" : null,
    });
  });

  return { list, add };
}

function redirect(path: string, query: Readonly<Record<string, string | null>>): ResponseData {
  const given = Object.entries(query).filter((pair): pair is [string, string] => !!pair[1]);
  const search = given.length > 0 ? `?${new URLSearchParams(given)}` : "";
  return { status: 302, body: null, location: path + search };
}
