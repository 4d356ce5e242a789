/** @jsxImportSource #jsx */
import { plainWords } from "../../search/query/plain-words.ts";
import type { QueryError } from "../../search/query/query-error.ts";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { ControlLine } from "../control-line.tsx";
import type { EntryContext } from "../entries/entry.tsx";
import type { LibraryCall } from "../library-query.ts";
import { Syntax } from "./nothing-found.tsx";
import { searchPage } from "./search-page.tsx";
import { viewUrl } from "./view-url.ts";

/** An invalid search: the place of the mistake, what to do about it, and the syntax. */
export function unreadableView(call: LibraryCall, context: EntryContext, error: QueryError): View {
  const { messages } = call;
  const q = call.query.q?.trim() ?? "";
  const rest = [...q].slice(error.position).join("");
  const words = plainWords(q);
  return searchPage(call, context, {
    controls: (
      <ControlLine
        messages={messages}
        tabs={
          <>
            <b role="status">{messages.library.find.mistake}</b>
            <a href={viewUrl({ view: call.query.view }, {})}>{messages.library.find.all}</a>
          </>
        }
        query={call.query}
        context={context}
        isEmpty
        menu={false}
      />
    ),
    aside: null,
    list: (
      <div class="row part">
        <p class="margin">{messages.library.nothingFound.notSearched}</p>
        <div class="stack">
          <div class="notice alarm">
            <h2>{error.message}</h2>
            {rest !== "" && (
              <p dir="auto">
                {q.slice(0, -rest.length)}
                <mark>{rest}</mark>
              </p>
            )}
            <p>{messages.library.nothingFound.advice[error.code]}</p>
            {words !== "" && (
              <p>
                <a href={local("/library", { q: words })}>
                  {messages.blog.search.plainly} “<bdi>{words}</bdi>”
                </a>
              </p>
            )}
          </div>
          <Syntax messages={messages} />
        </div>
      </div>
    ),
  });
}
