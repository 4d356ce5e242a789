/** @jsxImportSource #jsx */
import type { PageContext } from "../web/page.tsx";
import { local } from "../web/urls.ts";
import type { View } from "../web/view.ts";
import type { LibraryParts } from "./library-parts.ts";
import { mayRead, mayWrite } from "./may-write.ts";
import { FindForm } from "./search/find-form.tsx";

/** A missing page of the library: its search, and ways on. Undefined for callers who may not read the library. */
export async function missingPage(
  access: Pick<LibraryParts, "readAccess" | "writeAccess">,
  context: PageContext,
): Promise<View | undefined> {
  // Without the database, the general page is still shown.
  if (!(await mayRead(access, context).catch(() => false))) return undefined;
  const { messages } = context;
  const writes = await mayWrite(access, context);
  const labels = messages.library.missing;
  return {
    title: labels.title,
    layout: "wide",
    noIndex: true,
    body: (
      <>
        <div class="row">
          <div>
            <FindForm messages={messages} query={{}} site={context.site} mayWrite={writes} />
          </div>
        </div>
        <div class="row part">
          <p class="margin">404</p>
          <div class="stack">
            <h1>{labels.title}</h1>
            <p>{labels.text}</p>
            <ul class="lines">
              <li>
                <a href={local("/library")}>{labels.all}</a>
              </li>
              {writes && (
                <li>
                  <a href={local("/library/removed")}>{messages.library.otherPages.removed}</a>
                </li>
              )}
              {context.caller.account === undefined && (
                <li>
                  <a href={local("/sign-in")}>{messages.navigation.signIn}</a>
                </li>
              )}
            </ul>
          </div>
        </div>
      </>
    ),
  };
}
