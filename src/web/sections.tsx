/** @jsxImportSource #jsx */
import type { Children, Markup } from "./jsx/preact.js";
import type { Messages } from "./messages/en.ts";

/** A section of a page of the program: its title in the margin, its content beside it. */
export function Section({
  id,
  title,
  children,
}: {
  readonly id?: string;
  readonly title: string;
  readonly children?: Children;
}): Markup {
  return (
    <section class="row part" aria-labelledby={id}>
      <h2 class="margin" id={id}>
        {title}
      </h2>
      <div class="stack">{children}</div>
    </section>
  );
}

/** The title of a program page, with a sentence or two. @param state a small line, such as the time zone */
export function Title({
  text,
  state,
  children,
}: {
  readonly text: string;
  readonly state?: string | undefined;
  readonly children?: Children;
}): Markup {
  return (
    <div class="row">
      <div>
        <h1>{text}</h1>
        {children !== undefined && <p class="intro">{children}</p>}
        {state !== undefined && (
          <p class="state">
            <span>{state}</span>
          </p>
        )}
      </div>
    </div>
  );
}

/** What the last action has done, at the foot of the window: it covers nothing that is read from the top. */
export function Toast({ children }: { readonly children?: Children }): Markup {
  return (
    <div class="toast" role="status">
      <p>{children}</p>
    </div>
  );
}

/** A lasting notice in the page, announced by screen readers. */
export function NoticeBox({ children }: { readonly children?: Children }): Markup {
  return (
    <div class="row">
      <div class="notice" role="status">
        <p>{children}</p>
      </div>
    </div>
  );
}

/** A secret that is shown only now. The page names `copy.js`, which adds a button that copies it. */
export function ShownOnce({
  messages,
  text,
}: {
  readonly messages: Messages;
  readonly text: string;
}): Markup {
  return (
    <copy-text data-copy={messages.copy.copy} data-copied={messages.copy.copied}>
      <code class="once">{text}</code>
    </copy-text>
  );
}

/** Lines to copy, such as a command; long ones wrap. */
export function CodeBlock({ text }: { readonly text: string }): Markup {
  return (
    <pre class="lines-to-copy">
      <code>{text}</code>
    </pre>
  );
}

/** A sentence in which every second part between backticks is code. */
export function CodeInText({ text }: { readonly text: string }): Markup {
  return <>{text.split("`").map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>))}</>;
}
