import { z } from "zod";
import type { PageReader } from "../bookmarks/capture/page-reader.ts";
import type { Database } from "../database/database.ts";
import type { Access, AccessPolicy } from "../http/access.ts";
import type { Search } from "../search/search.ts";
import type { Pages } from "../web/page.tsx";
import { local } from "../web/urls.ts";
import { seeOther } from "../web/view.ts";
import { AddForm, AddQuery, add, addView, showAdd } from "./add-page.tsx";
import { EditForm, EntryParams, edit, editAgain, showEdit } from "./edit-page.tsx";
import { LibraryQuery, libraryPage } from "./list-page.tsx";

export interface LibraryParts {
  readonly pages: Pages;
  readonly database: Database;
  readonly search: Search;
  readonly reading: Access | AccessPolicy;
  readonly writing: Access | AccessPolicy;
  /** Undefined when pages are not fetched. */
  readonly readPage: PageReader | undefined;
}

/** The pages of the library. */
export function libraryPages(parts: LibraryParts) {
  const { pages, reading, writing } = parts;

  const list = pages.page({ access: reading, query: LibraryQuery }, (call) => libraryPage(parts, call));

  const showNew = pages.page({ access: writing, query: AddQuery }, (call) => showAdd(parts, call));

  const saveNew = pages.page(
    {
      access: writing,
      body: AddForm,
      again: (refused) => addView(parts, refused, refused.form),
    },
    (call) => add(parts, call),
  );

  const showOne = pages.page({ access: writing, params: EntryParams }, (call) => showEdit(parts, call));

  const saveOne = pages.page(
    { access: writing, params: EntryParams, body: EditForm, again: (refused) => editAgain(parts, refused) },
    (call) => edit(parts, call),
  );

  /** A short way to the form, with its query. */
  const toNew = pages.page({ query: z.object({}) }, ({ search }) =>
    seeOther(local("/library/new", Object.fromEntries(new URLSearchParams(search)))),
  );

  return { list, showNew, saveNew, showOne, saveOne, toNew };
}
