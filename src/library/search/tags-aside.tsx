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
            <a href={within ? narrowed(within, name) : tagUrl(name)} dir="auto">
              {name}
            </a>{" "}
            <span class="count">{count.toLocaleString(messages.language)}</span>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A search with an additional tag, unless it already has it. */
function narrowed(within: readonly QueryPart[], name: string): SafeUrl {
  const isThere = within.some(
    ({ field, value, isExcluded }) => field === "tag" && !isExcluded && tagKey(value) === tagKey(name),
  );
  return local("/library", { q: joinQueryParts(isThere ? within : [...within, { text: tagTerm(name) }]) });
}
