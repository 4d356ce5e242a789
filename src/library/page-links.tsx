/** @jsxImportSource #jsx */
import type { Children, Markup } from "../web/jsx/preact.js";
import type { Messages } from "../web/messages/en.ts";
import type { SafeUrl } from "../web/urls.ts";

/** Links between the pages of a list; nothing where all is on one. @param first undefined on the first page */
export function PageLinks({
  first,
  next,
  messages,
  label = messages.library.older,
  children,
}: {
  readonly first?: SafeUrl | undefined;
  readonly next: SafeUrl | undefined;
  readonly messages: Messages;
  readonly label?: string;
  readonly children?: Children;
}): Markup | null {
  if (first === undefined && next === undefined) return null;
  return (
    <div class="row">
      <nav class="pages" aria-label={messages.library.pages}>
        <span>{first && <a href={first}>{messages.library.newest}</a>}</span>
        {children}
        {next && (
          <a href={next} rel="next">
            {label}
          </a>
        )}
      </nav>
    </div>
  );
}
