/** @jsxImportSource #jsx */
import type { Markup } from "../../web/jsx/preact.js";
import type { View } from "../../web/view.ts";
import type { EntryContext } from "../entries/entry.tsx";
import { HeadLinks } from "../head-links.tsx";
import type { LibraryCall } from "../library-query.ts";
import { ListKeys } from "../list-keys.tsx";
import { listScripts } from "../selectable.tsx";
import { FindForm } from "./find-form.tsx";

/** The page of a search, around its control line, the tags beside it and its matches. */
export function searchPage(
  call: LibraryCall,
  context: EntryContext,
  {
    controls,
    aside,
    list,
  }: { readonly controls: Markup; readonly aside: Markup | null; readonly list: Markup },
): View {
  const { messages, query } = call;
  return {
    title: `${query.q?.trim()} · ${messages.library.title}`,
    description: messages.library.description(call.site.name),
    layout: "wide",
    class: "with-aside",
    scripts: listScripts(context),
    head: <HeadLinks messages={messages} q={query.q?.trim()} density={context.density} />,
    body: (
      <>
        <div class="row">
          <div>
            <h1 class="unseen">{messages.library.title}</h1>
            <FindForm messages={messages} query={query} site={call.site} mayWrite={context.mayWrite} />
            {controls}
          </div>
        </div>
        <ListKeys messages={messages} site={call.site} />
        {aside}
        <div id="list">{list}</div>
      </>
    ),
  };
}
