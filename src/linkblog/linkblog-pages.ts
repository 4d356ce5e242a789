import type { Scope } from "../accounts/scope.ts";
import type { Database } from "../database/database.ts";
import { type Access, authorize } from "../http/access.ts";
import type { Search } from "../search/search.ts";
import { BackQuery } from "../web/forms/back.tsx";
import type { Pages } from "../web/page.tsx";
import { CiteQuery, citePage } from "./cite-page.tsx";
import { PublishForm, PublishParams, publish, publishAgain, showPublish } from "./publish-page.tsx";

/** Publishing a bookmark also requires reading it. */
const readAccess: Access = { scope: "bookmarks:read" satisfies Scope, anonymous: false };

export interface LinkblogPagesDependencies {
  readonly pages: Pages;
  readonly database: Database;
  /** Searches bookmarks. */
  readonly search: Search;
  /** Who may write posts: accounts only. */
  readonly writeAccess: Access;
}

/** Publishing a bookmark, and citing one, in pages. */
export function linkblogPages({ pages, database, search, writeAccess }: LinkblogPagesDependencies) {
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
  const cite = pages.page({ access: writeAccess, query: CiteQuery }, (call) => {
    authorize(call.caller, readAccess);
    return citePage({ database, search }, call);
  });
  return { show, submit, cite };
}
