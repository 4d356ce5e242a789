/** @jsxImportSource #jsx */
import { Icon } from "../../web/icon.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import { local } from "../../web/urls.ts";

/** How to get the next post without coming back to look, for readers who have never used a feed reader. */
export function Follow({
  messages,
  origin,
  language,
}: {
  readonly messages: Messages;
  readonly origin: string;
  /** That of the page, within a text in another one. */
  readonly language?: string | undefined;
}): Markup {
  const { title, text, address, others, and } = messages.blog.post.follow;
  const feed = local("/feed.atom");
  return (
    <details class="follow" lang={language}>
      <summary class="button plain">
        <Icon name="feed" />
        {title}
      </summary>
      <p>{text}</p>
      <p>
        {address} <a href={feed}>{`${origin}${feed}`}</a>
      </p>
      <p>
        {others} <a href={local("/feed.rss")}>RSS</a> {and} <a href={local("/feed.json")}>JSON Feed</a>
      </p>
    </details>
  );
}
