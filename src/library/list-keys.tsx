/** @jsxImportSource #jsx */
import type { Markup } from "../web/jsx/preact.js";
import type { PageContext } from "../web/page.tsx";

/** The keyboard shortcuts of the list with their meanings, unless they are turned off (WCAG 2.2, 2.1.4). */
export function ListKeys({ words, site }: Pick<PageContext, "words" | "site">): Markup | null {
  if (!site.singleKeys) return null;
  const say = words.library.keys;
  return (
    <list-keys>
      <div id="keys-help" popover="auto">
        <h2>{say.title}</h2>
        <dl class="keys">
          {say.list.map(([key, text]) => (
            <div>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <p class="quiet">{say.off}</p>
        <button class="button plain" type="button" popovertarget="keys-help" popovertargetaction="hide">
          {say.close}
        </button>
      </div>
    </list-keys>
  );
}
