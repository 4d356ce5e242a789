/** @jsxImportSource #jsx */
import type { Markup } from "./jsx/preact.js";
import type { Messages } from "./messages/en.ts";

/**
 * How the site becomes an app. The page names `copy.js` or `getting-in.js`, which show the button where the browser offers
 * it; as the last part of a page it moves nothing then.
 */
export function InstallApp({ messages }: { readonly messages: Messages }): Markup {
  const labels = messages.frame.install;
  return (
    <>
      <p>{labels.text}</p>
      <button class="button plain" id="install" type="button" hidden>
        {labels.install}
      </button>
    </>
  );
}
