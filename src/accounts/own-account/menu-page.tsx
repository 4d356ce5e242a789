/** @jsxImportSource #jsx */
import { z } from "zod";
import { holdKey } from "../../database/hold-key.ts";
import { invalid, Refusal, type ValidationError } from "../../errors.ts";
import type { Routes } from "../../http/endpoint.ts";
import { text } from "../../text.ts";
import { asList, FormState } from "../../web/forms/form-state.ts";
import { ErrorRow, FieldError, Select, TextField } from "../../web/forms/forms.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import type { PageContext } from "../../web/page.tsx";
import { Section, Title } from "../../web/sections.tsx";
import { formatLinks } from "../../web/site/site-links.ts";
import { MENU_MAX, type SiteLink } from "../../web/site/site-settings.ts";
import { readSite, saveSite } from "../../web/site/site-store.ts";
import { anyUrl, local, withFragment } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import type { AccountParts } from "../account-parts.ts";
import { ACCOUNT } from "../tokens/token-api.ts";
import { versionOf } from "./settings-version.ts";

const list = z.preprocess(asList, z.array(text({ max: MENU_MAX })));

/** The whole menu, as the form shows it, and what is to be done with it. */
const MenuForm = z.object({
  text: list,
  url: list,
  /** Such as `up-2`: what happens to the entry of this place, counted from 0. */
  act: z
    .string()
    .regex(/^(?:save|add|add-address|(?:up|down|remove)-\d{1,4})$/)
    .catch("save"),
  target: text().default(""),
  new_text: text({ max: MENU_MAX }).default(""),
  new_url: text({ max: MENU_MAX }).default(""),
  /** The version of the menu that the form shows. */
  seen: z.string().optional(),
});
type MenuForm = z.output<typeof MenuForm>;

/** `/settings/menu`: the links in the head of pages for readers. Each button saves. */
export function menuPage({ pages, database, menuTargets }: AccountParts): Routes {
  const show = pages.page({ access: ACCOUNT, inSnapshot: true }, (call) =>
    view(call, stateOf(call.site.links)),
  );

  const save = pages.page(
    {
      access: ACCOUNT,
      body: MenuForm,
      // Saving again replaces what another window has saved meanwhile.
      again: ({ form, refusal, ...context }) =>
        view(context, form, refusal.reason === "precondition_failed" ? undefined : form.text("seen")),
    },
    async ({ client, body, messages }) => {
      const { links, at } = changed(body, await menuTargets(database.read), messages);
      await database.write(async (sql) => {
        await holdKey(sql, "settings");
        const { links: before } = await readSite(sql);
        if (body.seen !== undefined && body.seen !== menuVersion(before))
          throw new Refusal("precondition_failed", messages.gettingIn.menu.changedMeanwhile);
        await saveSite(sql, { links }, database.clock.now());
      });
      const page = local("/settings/menu");
      return seeOther(at === undefined ? page : withFragment(page, entryId(at)), {
        scheme: client.scheme,
        notice: { code: "menu-saved" },
      });
    },
  );

  async function view(
    { messages, site, read }: Pick<PageContext, "messages" | "site" | "read">,
    form: FormState,
    seen = menuVersion(site.links),
  ): Promise<View> {
    const labels = messages.gettingIn.menu;
    const urls = form.texts("url");
    const there = new Set(urls);
    const offered = (await menuTargets(read)).filter(({ url }) => !there.has(url));
    return {
      title: labels.title,
      noIndex: true,
      body: (
        <>
          <Title text={labels.title}>{labels.intro}</Title>
          <form method="post" action={local("/settings/menu")}>
            {/* What the Enter key presses: the first button of a form. */}
            <button type="submit" hidden />
            <input type="hidden" name="seen" value={seen} />
            <ErrorRow
              form={form}
              messages={messages}
              labels={{
                ...labelsOf(urls),
                target: labels.target,
                new_text: labels.text,
                new_url: labels.url,
              }}
            />
            <Section title={labels.links}>
              {urls.length === 0 ? (
                <p class="quiet">{labels.empty}</p>
              ) : (
                <ol class="lines">
                  {urls.map((url, at) => (
                    <MenuEntry messages={messages} form={form} url={url} at={at} count={urls.length} />
                  ))}
                </ol>
              )}
              {urls.length > 0 && (
                <button class="button" type="submit">
                  {labels.save}
                </button>
              )}
            </Section>
            <Section title={labels.add}>
              {offered.length > 0 ? (
                <>
                  <Select
                    form={form}
                    name="target"
                    label={labels.target}
                    choices={offered.map(({ text, url }) => ({ value: url, text }))}
                  />
                  <button class="button plain" type="submit" name="act" value="add">
                    {labels.addTarget}
                  </button>
                </>
              ) : (
                <p class="quiet">{labels.noTargets}</p>
              )}
              {pages.hasPage("/write/new") && (
                <p>
                  <a href={local("/write/new", { kind: "page" })}>{labels.freshPage}</a>
                </p>
              )}
              <div class="two">
                <TextField form={form} name="new_text" label={labels.text} dir="auto" />
                <TextField form={form} name="new_url" label={labels.url} hint={labels.urlHint} />
              </div>
              <button class="button plain" type="submit" name="act" value="add-address">
                {labels.addAddress}
              </button>
            </Section>
          </form>
        </>
      ),
    };
  }

  return { "/settings/menu": { GET: show, POST: save } };
}

/** An entry with its text to change, and its buttons. */
function MenuEntry({
  messages,
  form,
  url,
  at,
  count,
}: {
  readonly messages: Messages;
  readonly form: FormState;
  readonly url: string;
  /** Its place, counted from 0. */
  readonly at: number;
  readonly count: number;
}): Markup {
  const labels = messages.gettingIn.menu;
  const text = form.texts("text")[at] ?? "";
  const id = `text-${at}`;
  const error = form.error(id);
  const button = (act: "up" | "down" | "remove") => (
    <button
      class={act === "remove" ? "link-button alarm" : "link-button"}
      type="submit"
      name="act"
      value={`${act}-${at}`}
    >
      {labels[act]}
      <span class="unseen"> {text}</span>
    </button>
  );
  return (
    <li id={entryId(at)}>
      <div class="field">
        <label for={id}>
          <span class="unseen">{labels.textOf} </span>
          <bdi>{url}</bdi>
        </label>
        <FieldError name={id} error={error} />
        <input
          id={id}
          name="text"
          type="text"
          value={text}
          dir="auto"
          aria-invalid={error === undefined ? undefined : "true"}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
        />
      </div>
      <input type="hidden" name="url" value={url} />
      <p class="bar">
        {at > 0 && button("up")}
        {at < count - 1 && button("down")}
        {button("remove")}
      </p>
    </li>
  );
}

/** The addresses as labels of the fields with their texts. */
function labelsOf(urls: readonly string[]): Record<string, string> {
  return Object.fromEntries(urls.map((url, at) => [`text-${at}`, url]));
}

function entryId(at: number): string {
  return `entry-${at}`;
}

function stateOf(links: readonly SiteLink[]): FormState {
  return FormState.of({ text: links.map(({ text }) => text), url: links.map(({ url }) => url) });
}

function menuVersion(links: readonly SiteLink[]): string {
  return versionOf({ links: formatLinks(links) });
}

/**
 * The menu after an action, and the place of the entry that it was about.
 * @throws Refusal `invalid`
 */
function changed(
  body: MenuForm,
  targets: readonly SiteLink[],
  messages: Messages,
): { readonly links: SiteLink[]; readonly at: number | undefined } {
  const links = body.url.map((url, at) => ({ text: (body.text[at] ?? "").trim(), url }));
  const [, act = body.act, place] = /^(up|down|remove)-(\d+)$/.exec(body.act) ?? [];
  const errors: ValidationError[] = [];
  let at: number | undefined;
  if (act === "add") {
    const target = targets.find(({ url }) => url === body.target);
    if (target === undefined)
      errors.push({ pointer: "/target", code: "unknown_value", detail: messages.gettingIn.menu.gone });
    else at = links.push({ ...target }) - 1;
  } else if (act === "add-address") {
    const added = { text: body.new_text.trim(), url: body.new_url.trim() };
    if (added.text === "") errors.push(missing("/new_text"));
    if (added.url === "") errors.push(missing("/new_url"));
    else if (!isAddress(added.url))
      errors.push({ pointer: "/new_url", code: "unknown_value", detail: messages.gettingIn.menu.wrongUrl });
    at = links.push(added) - 1;
  } else if (place !== undefined) {
    const from = Number(place);
    const [moved] = links.splice(from, 1);
    if (moved !== undefined && act !== "remove") {
      at = Math.max(0, from + (act === "up" ? -1 : 1));
      links.splice(at, 0, moved);
    }
  }
  for (const [index, { text, url }] of links.entries())
    if (text === "" && index < body.url.length) errors.push(missing(`/text-${index}`));
    else if (index < body.url.length && !isAddress(url)) errors.push(missing(`/text-${index}`));
  if (formatLinks(links).length > MENU_MAX)
    errors.push({ pointer: "", code: "too_long", detail: messages.gettingIn.menu.full(MENU_MAX) });
  if (errors.length > 0) throw invalid(errors);
  return { links, at };
}

/** In lists of links, white space ends an address. */
function isAddress(url: string): boolean {
  return !/\s/.test(url) && anyUrl(url) !== undefined;
}

function missing(pointer: string): ValidationError {
  return { pointer, code: "missing", detail: "Is required." };
}
