import type { ResponseData } from "../../http/response-data.ts";
import { linkdingOperation } from "./operation.ts";

/**
 * Redirects from linkding's pages, which its browser extension, bookmarklets and shortcuts open, to those of the
 * library. They need no account; the library itself does.
 */
export function linkdingRedirects() {
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
