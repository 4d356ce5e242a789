import { accessOf, type Scope } from "../accounts/scope.ts";
import type { BookmarkParts } from "../bookmarks/bookmark-parts.ts";
import { type Access, authorize } from "../http/access.ts";
import type { Routes } from "../http/endpoint.ts";
import { BackQuery } from "../web/forms/back.tsx";
import { CiteQuery, citePage } from "./cite-page.tsx";
import { PublishForm, PublishParams, publish, publishAgain, showPublish } from "./publish-page.tsx";

/** Publishing a bookmark also requires reading it. */
const readAccess: Access = { scope: "bookmarks:read" satisfies Scope, anonymous: false };

/** Who may write posts: accounts only. */
const { writeAccess } = accessOf("private", "posts");

/** Publishing a bookmark. */
export function publishPages({ pages, database }: BookmarkParts): Routes {
  const show = pages.page({ access: writeAccess, params: PublishParams, query: BackQuery }, (call) => {
    authorize(call.caller, readAccess);
    return showPublish(database, call);
  });
  const submit = pages.page(
    {
      access: writeAccess,
      params: PublishParams,
      body: PublishForm,
      again: (refused) => publishAgain(database, refused),
    },
    (call) => {
      authorize(call.caller, readAccess);
      return publish(database, call);
    },
  );
  return { "/library/{id}/publish": { GET: show, POST: submit } };
}

/** Citing a bookmark. */
export function citePages(bookmarks: BookmarkParts): Routes {
  const { pages } = bookmarks;
  const cite = pages.page({ access: writeAccess, query: CiteQuery }, (call) => {
    authorize(call.caller, readAccess);
    return citePage(bookmarks, call);
  });
  return { "/library/cite": { GET: cite } };
}
