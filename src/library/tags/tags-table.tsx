/** @jsxImportSource #jsx */
import type { UsedTag } from "../../bookmarks/tags/tag-list.ts";
import type { FormState } from "../../web/forms/form-state.ts";
import { BOOKMARK_TAGS, TagField } from "../../web/forms/tag-field.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageContext } from "../../web/page.tsx";
import { Section } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import { tagUrl } from "../search/tag-search.ts";
import type { LikelyPair } from "./likely-pairs.ts";

/** The form that renames a tag. */
export function RenameForm({
  form,
  tag,
  messages,
}: {
  readonly form: FormState;
  readonly tag: UsedTag;
  readonly messages: PageContext["messages"];
}): Markup {
  const labels = messages.library.tagsPage;
  return (
    <form method="post" action={local("/library/tags")}>
      <input type="hidden" name="from" value={tag.name} />
      <Section title={labels.rename}>
        <div class="two">
          <TagField
            messages={messages}
            form={form}
            name="to"
            label={labels.becomes(tag.name)}
            hint={labels.hint(tag.withBelow)}
            suggest={BOOKMARK_TAGS}
            isOne
            autofocus
          />
        </div>
        <p class="bar">
          <button class="button" type="submit" name="action" value="rename">
            {labels.submit}
          </button>
          <a class="button plain" href={local("/library/tags")}>
            {labels.cancel}
          </a>
        </p>
      </Section>
    </form>
  );
}

/** Pairs of tags that may be one, each with a button that renames the rarer one; it can be undone. */
export function LikelyPairs({
  pairs,
  messages,
}: {
  readonly pairs: readonly LikelyPair[];
  readonly messages: PageContext["messages"];
}): Markup | null {
  if (pairs.length === 0) return null;
  const labels = messages.library.tagsPage;
  return (
    <Section title={labels.alike}>
      <ul class="lines">
        {pairs.map(({ from, to }) => (
          <li class="bar apart">
            <span>
              <bdi>{from.name}</bdi> <span class="count">{from.count.toLocaleString(messages.language)}</span>
              {labels.or}
              <bdi>{to.name}</bdi> <span class="count">{to.count.toLocaleString(messages.language)}</span>
            </span>
            <form method="post" action={local("/library/tags")}>
              <input type="hidden" name="from" value={from.name} />
              <input type="hidden" name="to" value={to.name} />
              <button class="link-button" type="submit" name="action" value="rename">
                {labels.mergeInto}
                <bdi>{to.name}</bdi>
              </button>
            </form>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** All tags, each with a checkbox, its number of links and its last use. */
export function TagTable({
  tags,
  ticked,
  messages,
  dates,
  sort,
}: {
  readonly tags: readonly UsedTag[];
  readonly ticked: readonly string[];
  readonly messages: PageContext["messages"];
  readonly dates: PageContext["dates"];
  readonly sort: string;
}): Markup {
  const labels = messages.library.tagsPage;
  return (
    <table class="tag-list">
      <caption class="unseen">{labels.title}</caption>
      <thead>
        <tr>
          <th scope="col">{labels.tag}</th>
          <th scope="col" class="n">
            {labels.links}
          </th>
          <th scope="col">{labels.lastUsed}</th>
          <th scope="col">
            <span class="unseen">{labels.action}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {tags.map(({ name, count, lastUsed }) => (
          <tr>
            <td>
              <label>
                <input type="checkbox" name="tag" value={name} checked={ticked.includes(name)} />
                <span class="unseen">
                  {labels.select} <bdi>{name}</bdi>
                </span>
              </label>
              <a href={tagUrl(name)}>
                <bdi>{name}</bdi>
              </a>
            </td>
            <td class="n">
              {count.toLocaleString(messages.language)} <span class="unit">{labels.unit(count)}</span>
            </td>
            <td>{dates.shortDay(lastUsed)}</td>
            <td class="n">
              <a href={local("/library/tags", { rename: name, sort })}>
                {labels.rename}
                <span class="unseen"> {name}</span>
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
