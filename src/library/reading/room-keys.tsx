/** @jsxImportSource #jsx */
import type { Markup } from "../../web/jsx/preact.js";
import type { PageContext } from "../../web/page.tsx";

/** The keys of links and buttons of the room, which `reading.js` presses: those of the list (`library/keys.ts`). */
const KEYS = ["o", "r", "a", "m", "l", "z"] as const;
const OF_READERS: readonly string[] = ["o", "r"];

/** Shows the keys of the room: by its element alone, so also without a script. */
export function RoomKeysButton({ messages, site }: Pick<PageContext, "messages" | "site">): Markup | null {
  if (!site.singleKeys) return null;
  return (
    <button class="link-button to-keys" type="button" popovertarget="keys-help">
      {messages.reading.keys.title}
    </button>
  );
}

/** The keyboard shortcuts of the room with their meanings, unless they are turned off (WCAG 2.2, 2.1.4). */
export function RoomKeys({
  messages,
  site,
  canWrite,
}: Pick<PageContext, "messages" | "site"> & { readonly canWrite: boolean }): Markup | null {
  if (!site.singleKeys) return null;
  const labels = messages.reading.keys;
  return (
    <div id="keys-help" popover="auto">
      <h2>{labels.title}</h2>
      <dl class="keys">
        {KEYS.filter((key) => canWrite || OF_READERS.includes(key)).map((key) => (
          <div>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{labels[key]}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>?</kbd>
          </dt>
          <dd>{labels.help}</dd>
        </div>
      </dl>
      <p class="quiet">{labels.off}</p>
      <button class="button plain" type="button" popovertarget="keys-help" popovertargetaction="hide">
        {labels.close}
      </button>
    </div>
  );
}
