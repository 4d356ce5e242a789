/** @jsxImportSource #jsx */
import type { Markup } from "../jsx/preact.js";
import { Part } from "../parts.tsx";
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
    <Part title={words.library.importing.now}>
      <ul class="lines">
        {running.map(({ fileName, url }) => (
          <li>
            <a href={url} dir="auto">
              {fileName}
            </a>
          </li>
        ))}
      </ul>
    </Part>
  );
}
