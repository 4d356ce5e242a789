/** @jsxImportSource #jsx */
import type { Markup } from "../jsx/preact.js";
import type { Messages } from "../messages/en.ts";
import { Section } from "../sections.tsx";
import type { SafeUrl } from "../urls.ts";

/** The imports that run now. */
export function RunningList({
  running,
  messages,
}: {
  readonly running: readonly { readonly fileName: string; readonly url: SafeUrl }[];
  readonly messages: Messages;
}): Markup | null {
  if (running.length === 0) return null;
  return (
    <Section title={messages.library.importing.now}>
      <ul class="lines">
        {running.map(({ fileName, url }) => (
          <li>
            <a href={url} dir="auto">
              {fileName}
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}
