/** @jsxImportSource #jsx */
import { listTags } from "../../bookmarks/tags/tag-list.ts";
import type { Sql } from "../../database/database.ts";
import { tagKey } from "../../tags/tag-name.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import { fragment, local, type SafeUrl } from "../../web/urls.ts";
import { joinQueryParts, type QueryPart } from "./query-parts.ts";
import { tagTerm, tagUrl } from "./tag-search.ts";

/** A tag and how many bookmarks have it. */
export interface CountedTag {
  readonly name: string;
  readonly count: number;
}

/** The number of tags that are shown next to a list, at most. */
export const TAGS_SHOWN = 12;
/** The number of them on a phone, where they follow the filters. */
export const TAGS_AS_CHIPS = 6;

/** The most used tags, and the number of all tags. */
export async function shownTags(read: Sql): Promise<{ tags: CountedTag[]; total: number }> {
  return listTags(read, { sort: "count", limit: TAGS_SHOWN });
}

/** The tags of the shown entries. @param total the number of tags in the whole library, if known */
export function TagsAside({
  messages,
  tags,
  total = 0,
  within,
}: {
  readonly messages: Messages;
  readonly tags: readonly CountedTag[];
  readonly total?: number;
  /** The search that the tags narrow; absent if there is none. */
  readonly within?: readonly QueryPart[] | undefined;
}): Markup | null {
  if (tags.length === 0) return null;
  const hrefOf = narrowed(within);
  return (
    <nav class="aside by-tag" aria-label={messages.library.tags}>
      <a class="skip" href={fragment("list")}>
        {messages.library.skipTags}
      </a>
      <div>
        <h2>{messages.library.tags}</h2>
        <a href={local("/library/tags")}>{messages.library.allTags(total)}</a>
      </div>
      <ul>
        {tags.map(({ name, count }) => (
          <li>
            <a href={hrefOf(name)} dir="auto">
              {name}
            </a>{" "}
            <span class="count">{count.toLocaleString(messages.language)}</span>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The URL of a search with an additional tag, unless it already has it; without a search, that of the tag. */
export function narrowed(within: readonly QueryPart[] | undefined): (name: string) => SafeUrl {
  if (within === undefined) return tagUrl;
  const had = within.flatMap(({ field, value, isExcluded }) =>
    field === "tag" && !isExcluded ? [tagKey(value)] : [],
  );
  return (name) => {
    const parts = had.includes(tagKey(name)) ? within : [...within, { text: tagTerm(name) }];
    return local("/library", { q: joinQueryParts(parts) });
  };
}
