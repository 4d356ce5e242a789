/** @jsxImportSource #jsx */
import type { Markup } from "../jsx/preact.js";
import { Section } from "../sections.tsx";
import type { SafeUrl } from "../urls.ts";
import type { Words } from "../words/en.ts";

/** The imports that run now. */
export function RunningList({
  running,
  words,
}: {
  readonly running: readonly { readonly fileName: string; readonly url: SafeUrl }[];
  readonly words: Words;
}): Markup | null {
  if (running.length === 0) return null;
  return (
    <Section title={words.library.importing.now}>
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
