/** @jsxImportSource #jsx */
import type { Markup } from "../web/jsx/preact.js";
import type { PageContext } from "../web/page.tsx";
import { DONE_BY_SCRIPT, KEYS } from "./keys.ts";

/** The entry of the list's menu that shows its keys: by its element alone, so also without a script. */
export function KeysButton({ messages, site }: Pick<PageContext, "messages" | "site">): Markup | null {
  if (!site.singleKeys) return null;
  return (
    <button class="to-keys" type="button" popovertarget="keys-help">
      {messages.library.keys.title} <kbd>?</kbd>
    </button>
  );
}

/** The keyboard shortcuts of the list with their meanings, unless they are turned off (WCAG 2.2, 2.1.4). */
export function ListKeys({ messages, site }: Pick<PageContext, "messages" | "site">): Markup | null {
  if (!site.singleKeys) return null;
  const labels = messages.library.keys;
  return (
    <list-keys>
      <div id="keys-help" popover="auto">
        <h2>{labels.title}</h2>
        <dl class="keys">
          {Object.entries(KEYS).map(([act, key]) => (
            <div>
              <dt>
                <kbd data-act={DONE_BY_SCRIPT.has(act) ? act : undefined}>{key}</kbd>
              </dt>
              <dd>{labels.list[act as keyof typeof KEYS]}</dd>
            </div>
          ))}
        </dl>
        <p class="quiet">{labels.off}</p>
        <button class="button plain" type="button" popovertarget="keys-help" popovertargetaction="hide">
          {labels.close}
        </button>
      </div>
    </list-keys>
  );
}
