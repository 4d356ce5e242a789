/** @jsxImportSource #jsx */
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";

/** The texts that this browser keeps and the server does not have; `kept-texts.js` shows it if there are any. */
export function KeptTexts({
  messages,
  timeZone,
  but,
}: {
  readonly messages: Messages;
  readonly timeZone: string;
  /** The key of the text on this page, which is offered there. */
  readonly but?: string;
}): Markup {
  const { kept, keptHint, untitled } = messages.blog.write;
  return (
    <kept-texts hidden data-but={but} data-zone={timeZone} data-untitled={untitled}>
      <div class="notice" role="status">
        <p>
          {kept} {keptHint}
        </p>
        <ul class="lines" />
      </div>
    </kept-texts>
  );
}
