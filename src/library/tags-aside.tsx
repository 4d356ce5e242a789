/** @jsxImportSource #jsx */
import type { Markup } from "../web/jsx/preact.js";
import { local } from "../web/urls.ts";
import type { Words } from "../web/words/en.ts";
import { tagUrl } from "./entry.tsx";

/** A tag and how many bookmarks have it. */
export interface CountedTag {
  readonly name: string;
  readonly count: number;
}

/** The tags of what is shown. @param total how many tags there are in the whole library */
export function TagsAside({
  words,
  tags,
  total,
}: {
  readonly words: Words;
  readonly tags: readonly CountedTag[];
  readonly total: number;
}): Markup | null {
  if (tags.length === 0) return null;
  return (
    <nav class="aside by-tag" aria-label={words.library.tags}>
      <h2>{words.library.tags}</h2>
      <ul>
        {tags.map(({ name, count }) => (
          <li>
            <a href={tagUrl(name)} dir="auto">
              {name}
            </a>{" "}
            <span class="count">{count.toLocaleString(words.language)}</span>
          </li>
        ))}
        <li>
          <a href={local("/library/tags")}>{words.library.allTags(total)}</a>
        </li>
      </ul>
    </nav>
  );
}
