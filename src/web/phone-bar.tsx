/** @jsxImportSource #jsx */
import { Icon, type IconName } from "./icon.tsx";
import type { Markup } from "./jsx/preact.js";
import type { Messages } from "./messages/en.ts";
import { type BarEntry, isCurrent, type Menus } from "./navigation.ts";
import { anyUrl } from "./urls.ts";

const ICON_OF: Readonly<Record<BarEntry["name"], IconName>> = {
  today: "calendar",
  library: "bookmark",
  add: "add",
  write: "pen",
};

/** The id of the sheet that *More* opens. */
const SHEET = "more-pages";

/** The owner's menu on a phone: a bar at the foot of the window, and a sheet with all that has no room in it. */
export function PhoneBar({
  messages,
  menus: { bar, more },
  path,
}: {
  readonly messages: Messages;
  readonly menus: Pick<Menus, "bar" | "more">;
  readonly path: string;
}): Markup {
  const labels = messages.frame;
  // The most exact one alone: adding a link is a page of the library, too.
  const current = [...bar, ...more]
    .filter(({ href }) => isCurrent(href, path))
    .sort((a, b) => b.href.length - a.href.length)[0]?.href;
  const waiting = more.reduce((sum, { count = 0 }) => sum + count, 0);
  return (
    <>
      <nav class="phone-bar" aria-label={labels.bar}>
        {bar.map(({ name, href, text }) => (
          <a href={anyUrl(href)} aria-current={href === current ? "page" : undefined}>
            <Icon name={ICON_OF[name]} />
            <span class={name === "add" ? "unseen" : undefined}>{text}</span>
          </a>
        ))}
        <button type="button" popovertarget={SHEET}>
          <Icon name="more" />
          <span>
            {labels.more}
            {waiting > 0 && (
              <>
                {" "}
                <span class="count">{waiting}</span>
              </>
            )}
          </span>
        </button>
      </nav>
      <div class="more-pages" id={SHEET} popover="auto">
        <nav aria-label={labels.others}>
          {more.map(({ href, text, count = 0 }) => (
            <a href={anyUrl(href)} aria-current={href === current ? "page" : undefined}>
              {text}
              {count > 0 && (
                <>
                  {" "}
                  <span class="count">{count}</span>
                </>
              )}
            </a>
          ))}
        </nav>
        <button class="link-button" type="button" popovertarget={SHEET} popovertargetaction="hide">
          {labels.close}
        </button>
      </div>
    </>
  );
}
