import { z } from "zod";
import { deleteCopy } from "../../copies/copy-changes.ts";
import { keepSent } from "../../copies/keep-sent.ts";
import { PAGE_FORM } from "../../copies/page-form.ts";
import { sentPage } from "../../copies/sent-pages.ts";
import { invalid, notFound, type Refusal, type ValidationError } from "../../errors.ts";
import type { Routes } from "../../http/endpoint.ts";
import { PathId } from "../../http/parameters.ts";
import { limits } from "../../limits.ts";
import { BackQuery } from "../../web/forms/back.tsx";
import { FormState } from "../../web/forms/form-state.ts";
import type { Messages } from "../../web/messages/en.ts";
import type { PageContext, RefusedForm } from "../../web/page.tsx";
import { local, withFragment } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import { EntryParams, existing } from "../entries/edit-page.tsx";
import type { LibraryParts } from "../library-parts.ts";
import { backToLibrary } from "../search/view-url.ts";
import { SAVED_PAGE } from "./failure.tsx";

const SentForm = z.object({ file: z.instanceof(File).optional().catch(undefined) });
const CopyParams = EntryParams.extend({ copy: PathId });

/**
 * What the page of a link does with its copies.
 * @param show the page of a link, with the form for a page that was refused
 */
export function copyForms(
  { pages, database, copyParts }: LibraryParts,
  show: (context: PageContext, id: number | bigint, form: FormState) => Promise<View>,
): Routes {
  const { keeper, sent, fetching, writeAccess: access } = copyParts;
  const pageOf = (id: number) => withFragment(local(`/library/${id}`), "copies");
  const again = (refused: RefusedForm) => {
    const { data } = EntryParams.safeParse(refused.pathParams);
    if (data === undefined) throw refused.refusal;
    return show(refused, data.id, refusedForm(refused.refusal, refused.messages));
  };

  const send = pages.page(
    {
      access,
      params: EntryParams,
      body: SentForm,
      takes: [PAGE_FORM],
      // A form has more than its file.
      bodyLimit: limits().copyBytes + 64 * 1024,
      enter: sent.enter,
      again,
      tooLarge: (context) => {
        const [, id = ""] = /^\/library\/(\d+)\//.exec(context.path) ?? [];
        return show(context, EntryParams.parse({ id }).id, tooLargeForm(context.messages));
      },
    },
    async ({ request, params, body: { file }, rawBody, caller, client }) => {
      const entry = await existing(database, params.id);
      if (file === undefined || file.size === 0) throw invalid([{ pointer: `/${SAVED_PAGE}`, ...MISSING }]);
      await keepSent(copyParts, entry, sentPage(request, rawBody, file), caller.account?.id);
      return seeOther(pageOf(entry.id), { scheme: client.scheme, notice: { code: "copy-kept" } });
    },
  );

  const fetch = fetching && {
    "/library/{id}/copies/fetch": {
      POST: pages.page(
        { access, params: EntryParams, body: BackQuery, again },
        async ({ params, body: { back }, caller, client }) => {
          const { id } = await existing(database, params.id);
          // The page says at once what the job would say later.
          await keeper.check(id, 0);
          await database.write((sql) => fetching.request(sql, id, caller.account?.id));
          fetching.wake();
          return seeOther(back === undefined ? pageOf(id) : backToLibrary(back, id), {
            scheme: client.scheme,
            notice: { code: "copy-asked" },
          });
        },
      ),
    },
  };

  const remove = pages.page(
    { access, params: CopyParams, usesReserve: true },
    async ({ params: { id, copy }, client }) => {
      const { id: bookmarkId } = await existing(database, id);
      const isThere =
        typeof copy === "number" &&
        (await database.write((sql) => deleteCopy(sql, { bookmarkId, copyId: copy }, database.clock.now())));
      if (!isThere) throw notFound("Copy", copy);
      return seeOther(pageOf(bookmarkId), { scheme: client.scheme, notice: { code: "copy-deleted" } });
    },
  );

  return {
    "/library/{id}/copies": { POST: send },
    ...fetch,
    "/library/{id}/copies/{copy}/delete": { POST: remove },
  };
}

const MISSING: Omit<ValidationError, "pointer"> = { code: "missing", detail: "Choose a file." };

/** Why no copy was kept: at the file, or above the form where another one would not help. */
function refusedForm({ reason, message }: Refusal, messages: Messages): FormState {
  const labels = messages.copies.refused;
  if (reason === "too_large") return tooLargeForm(messages);
  if (reason === "invalid") return FormState.unread(SAVED_PAGE, labels.missing);
  if (reason === "unsupported_media_type") return FormState.unread(SAVED_PAGE, labels.wrongType);
  const said = {
    conflict: labels.tooMany(limits().copiesPerBookmark),
    storage_full: labels.full,
  };
  return FormState.refused({}, said[reason as keyof typeof said] ?? message, []);
}

function tooLargeForm(messages: Messages): FormState {
  const megabytes = limits().copyBytes / (1024 * 1024);
  return FormState.unread(SAVED_PAGE, messages.copies.refused.tooLarge(megabytes));
}
