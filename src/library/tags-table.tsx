/** @jsxImportSource #jsx */
import type { UsedTag } from "../bookmarks/tags/tag-list.ts";
import type { FormState } from "../web/forms/form-state.ts";
import { TextField } from "../web/forms/forms.tsx";
import type { Markup } from "../web/jsx/preact.js";
import type { PageContext } from "../web/page.tsx";
import { Section } from "../web/sections.tsx";
import { local } from "../web/urls.ts";
import { tagUrl } from "./search/tag-search.ts";

/** The form that renames a tag. */
export function RenameForm({
  form,
  tag,
  words,
}: {
  readonly form: FormState;
  readonly tag: UsedTag;
  readonly words: PageContext["words"];
}): Markup {
  const say = words.library.tagsPage;
  return (
    <form method="post" action={local("/library/tags")}>
      <input type="hidden" name="from" value={tag.name} />
      <Section title={say.rename}>
        <div class="two">
          <TextField
            form={form}
            name="to"
            label={say.becomes(tag.name)}
            hint={say.hint(tag.withBelow)}
            dir="auto"
            autocapitalize="none"
            autocomplete="off"
            autofocus
          />
        </div>
        <p class="bar">
          <button class="button" type="submit" name="action" value="rename">
            {say.submit}
          </button>
          <a class="button plain" href={local("/library/tags")}>
            {say.cancel}
          </a>
        </p>
      </Section>
    </form>
  );
}

/** All tags, each with a checkbox, its number of links and its last use. */
export function TagTable({
  tags,
  ticked,
  words,
  dates,
  sort,
}: {
  readonly tags: readonly UsedTag[];
  readonly ticked: readonly string[];
  readonly words: PageContext["words"];
  readonly dates: PageContext["dates"];
  readonly sort: string;
}): Markup {
  const say = words.library.tagsPage;
  return (
    <table class="tag-list">
      <caption class="unseen">{say.title}</caption>
      <thead>
        <tr>
          <th scope="col">{say.tag}</th>
          <th scope="col" class="n">
            {say.links}
          </th>
          <th scope="col">{say.lastUsed}</th>
          <th scope="col">
            <span class="unseen">{say.action}</span>
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
                  {say.select} <bdi>{name}</bdi>
                </span>
              </label>
              <a href={tagUrl(name)}>
                <bdi>{name}</bdi>
              </a>
            </td>
            <td class="n">
              {count.toLocaleString(words.language)} <span class="unit">{say.unit(count)}</span>
            </td>
            <td>{dates.shortDay(lastUsed)}</td>
            <td class="n">
              <a href={local("/library/tags", { rename: name, sort })}>
                {say.rename}
                <span class="unseen"> {name}</span>
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
