/** @jsxImportSource #jsx */
import { z } from "zod";
import { holdKey } from "../../database/hold-key.ts";
import { FORM_BODY, MULTIPART_BODY } from "../../http/body/body-decoders.ts";
import type { Routes } from "../../http/endpoint.ts";
import { limits } from "../../limits.ts";
import { text } from "../../text.ts";
import { DATE_STYLES, DateFormatter, type DateStyle, localeOf } from "../../web/date-formatter.ts";
import { FormState } from "../../web/forms/form-state.ts";
import { CheckboxGroup, ErrorRow, RadioGroup, Select, TextArea } from "../../web/forms/forms.tsx";
import { TimeZoneField } from "../../web/forms/time-zone-field.tsx";
import { linesTyped, lineTyped } from "../../web/forms/untouched.ts";
import type { Messages } from "../../web/messages/en.ts";
import type { PageContext } from "../../web/page.tsx";
import { CodeInText, Section, Title } from "../../web/sections.tsx";
import {
  checked,
  isLanguage,
  MENU_MAX,
  SETTINGS,
  type SettingName,
  type SITE_SETTINGS,
  type SiteSettings,
} from "../../web/site/site-settings.ts";
import { readSite, saveSite } from "../../web/site/site-store.ts";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import type { AccountParts } from "../account-parts.ts";
import { BookmarksAccessField, SiteNameField } from "../site-fields.tsx";
import { ACCOUNT } from "../tokens/token-api.ts";
import { PictureFields, storePictures } from "./picture-fields.tsx";
import { checkVersion, versionOf } from "./settings-version.ts";

/** The settings that the page shows, each in one field. */
const FIELDS = SETTINGS.flatMap(({ field, ...setting }) =>
  field === undefined ? [] : [{ ...setting, field: field as FieldName }],
);
type FieldName = Extract<(typeof SITE_SETTINGS)[SettingName], { field: string }>["field"];

/** The other fields came later, or are not there: an unchecked box, and what the server's settings fix. */
const REQUIRED: ReadonlySet<string> = new Set(["site_name", "description", "language", "time_zone", "theme"]);

const schemas = FIELDS.map(({ field, type, initial, rule = type, stored = rule, lines }) => {
  const one = lines ? checked(text({ max: MENU_MAX }), lines.error) : stored;
  const schema = typeof initial === "boolean" ? z.enum(["on", ""]) : one;
  return [field, REQUIRED.has(field) ? schema : schema.optional()];
});

const SettingsForm = z.object({
  ...(Object.fromEntries(schemas) as Record<FieldName, z.ZodType<string | undefined>>),
  icon: z.file().optional(),
  cover: z.file().optional(),
  without_icon: z.literal("on").optional(),
  without_cover: z.literal("on").optional(),
  /** The version of the settings that the form shows. */
  seen: z.string().optional(),
});

/** The languages in the form, by BCP 47 tag; a different current one is added. */
const LANGUAGES = [
  ..."ar bg bn ca cs da de el en en-GB es et eu fa fi fr gl he hi hr hu id is it ja ko lt lv ms nb nl pl".split(
    " ",
  ),
  ..."pt pt-BR ro ru sk sl sr sv sw ta th tr uk ur vi zh-Hans zh-Hant".split(" "),
];

/** `/settings`: the site. */
export function settingsPages({ pages, database, fixed, pictures }: AccountParts): Routes {
  const show = pages.page({ access: ACCOUNT }, (call) => view(call, FormState.of(shown(call.site))));

  const save = pages.page(
    {
      access: ACCOUNT,
      body: SettingsForm,
      takes: [FORM_BODY, MULTIPART_BODY],
      bodyLimit: 2 * limits().mediaBytes + 1024 * 1024,
      again: ({ form, refusal, ...context }) => {
        // Saving again replaces the other settings, which are shown now.
        const seen =
          refusal.reason === "precondition_failed" ? versionOf(shown(context.site)) : form.text("seen");
        return view(context, form, seen);
      },
    },
    async ({ client, body, caller, messages }) => {
      const chosen = await storePictures(pictures, body, caller.account?.id, messages);
      await database.write(async (sql) => {
        await holdKey(sql, "settings");
        const stored = await readSite(sql);
        const typed = settingsOf(body, stored);
        checkVersion(shown(stored), { ...valuesOf(typed), seen: body.seen }, messages);
        await saveSite(sql, { ...typed, ...chosen }, database.clock.now());
      });
      return seeOther(local("/settings"), { scheme: client.scheme, notice: { code: "settings-saved" } });
    },
  );

  function view(
    { messages, dates, site }: Pick<PageContext, "messages" | "dates" | "site">,
    form: FormState,
    seen = versionOf(shown(site)),
  ): View {
    const labels = messages.gettingIn.settings;
    const language = form.text("language");
    const languages = LANGUAGES.includes(language) ? LANGUAGES : [...LANGUAGES, language];
    return {
      title: labels.title,
      noIndex: true,
      body: (
        <>
          <Title text={labels.title} />
          <form method="post" action={local("/settings")} enctype="multipart/form-data">
            <input type="hidden" name="seen" value={seen} />
            <ErrorRow
              form={form}
              messages={messages}
              labels={{
                site_name: labels.name,
                icon: labels.icon,
                cover: labels.cover,
                description: labels.description,
                language: labels.language,
                time_zone: messages.forms.timeZone,
                author_line: labels.authorLine,
                profiles: labels.profiles,
                verifications: labels.verifications,
              }}
            />
            <Section title={labels.site}>
              <SiteNameField form={form} label={labels.name} />
              <TextArea
                form={form}
                name="description"
                label={labels.description}
                hint={labels.descriptionHint}
                prose
                rows={2}
                maxlength={500}
                dir="auto"
              />
              <PictureFields
                form={form}
                messages={messages}
                site={site}
                hasPosts={pages.hasPage("/archive")}
              />
              <div class="two">
                <Select
                  form={form}
                  name="language"
                  label={labels.language}
                  hint={labels.languageHint}
                  choices={languages.map((value) => ({ value, text: nameOf(value) }))}
                />
                <TimeZoneField
                  form={form}
                  messages={messages}
                  hint={labels.now(dates.time(database.clock.now()), dates.timeZone)}
                />
                <Select
                  form={form}
                  name="date_style"
                  label={labels.dates}
                  choices={DATE_STYLES.map((value) => ({ value, text: dateExample(value, site, messages) }))}
                />
              </div>
              <p>
                <a href={local("/settings/menu")}>{messages.gettingIn.menu.title}</a>{" "}
                <span class="hint">{labels.menuHint}</span>
              </p>
              <TextArea
                form={form}
                name="author_line"
                label={labels.authorLine}
                hint={labels.authorLineHint}
                prose
                rows={2}
                maxlength={300}
                dir="auto"
              />
              <TextArea
                form={form}
                name="profiles"
                label={labels.profiles}
                hint={labels.profilesHint}
                rows={2}
              />
              <TextArea
                form={form}
                name="verifications"
                label={labels.verifications}
                hint={labels.verificationsHint}
                rows={2}
              />
            </Section>
            <Section title={labels.look}>
              <RadioGroup
                form={form}
                name="screen_theme"
                label={labels.screen}
                hint={labels.screenHint}
                choices={labels.colorSchemes}
              />
              <RadioGroup
                form={form}
                name="theme"
                label={labels.readers}
                hint={labels.readersHint}
                choices={labels.colorSchemes}
              />
              {pages.hasPage("/settings/look") && (
                <p>
                  <a href={local("/settings/look")}>{labels.lookOfSite}</a>
                </p>
              )}
              {pages.hasPage("/settings/theme") && (
                <p>
                  <a href={local("/settings/theme")}>{labels.customCss}</a>
                </p>
              )}
              <CheckboxGroup
                form={form}
                name="single_keys"
                label={labels.keyboard}
                choices={[{ value: "on", text: labels.singleKeys }]}
              />
              <RadioGroup form={form} name="today" label={labels.startPage} choices={labels.startPages} />
            </Section>
            <Section title={labels.library}>
              <BookmarksAccessField form={form} messages={messages} fixed={fixed.bookmarksAccess} />
              <CheckboxGroup
                form={form}
                name="title_opens_copy"
                label={messages.copies.settings.label}
                hint={messages.copies.settings.titleOpensCopyHint}
                choices={[{ value: "on", text: messages.copies.settings.titleOpensCopy }]}
              />
              {pages.hasPage("/settings/copies") && (
                <p>
                  <a href={local("/settings/copies")}>{messages.copying.link}</a>{" "}
                  <span class="hint">{messages.copying.linkHint[site.keepCopies]}</span>
                </p>
              )}
            </Section>
            <Section title={labels.comments}>
              {fixed.comments !== undefined ? (
                <>
                  <p class="label">{labels.whoComments}</p>
                  <p class="quiet">
                    <CodeInText
                      text={labels.commentsAreFixed(
                        labels.commenting.find(({ value }) => value === fixed.comments)?.text ??
                          labels.commentingOpen,
                      )}
                    />
                  </p>
                </>
              ) : (
                <RadioGroup
                  form={form}
                  name="comments"
                  label={labels.whoComments}
                  choices={labels.commenting}
                />
              )}
              <button class="button" type="submit">
                {labels.save}
              </button>
            </Section>
          </form>
        </>
      ),
    };
  }

  return { "/settings": { GET: show, POST: save } };
}

/** The settings of a site as the form shows them. */
function shown(site: SiteSettings) {
  return valuesOf({ ...site, screenTheme: site.screenTheme ?? site.theme });
}

/** Settings as values of their fields. */
function valuesOf(settings: Partial<SiteSettings>): Record<string, string> {
  const values = FIELDS.flatMap(({ name, field, lines }) => {
    const value = settings[name];
    if (value === undefined) return [];
    if (typeof value === "boolean") return [[field, value ? "on" : ""]];
    return [[field, lines ? lines.format(value as never) : value]];
  });
  return Object.fromEntries(values);
}

/** The settings of a submitted form; undefined where it has no field. */
function settingsOf(form: z.output<typeof SettingsForm>, stored: SiteSettings): Partial<SiteSettings> {
  const settings = FIELDS.map(({ name, field, initial, lines }) => {
    const typed = form[field];
    const before = stored[name];
    if (typeof initial === "boolean") return [name, typed === "on"];
    if (typed === undefined) return [name, undefined];
    if (lines !== undefined) return [name, lines.parse(typed)];
    if (typeof before !== "string") return [name, typed];
    return [name, field === "site_name" ? lineTyped(typed, before) : linesTyped(typed, before)];
  });
  return Object.fromEntries(settings);
}

/** A day that shows the order of its parts. */
const EXAMPLE = new Date("2026-11-20T12:00:00Z");

function dateExample(style: DateStyle, site: SiteSettings, messages: Messages): string {
  const example = new DateFormatter(localeOf(site), "UTC", style).shortDay(EXAMPLE);
  return style === "language" ? messages.gettingIn.settings.datesByLanguage(example) : example;
}

/** The name of a language in that language. */
function nameOf(tag: string): string {
  return isLanguage(tag) ? (new Intl.DisplayNames(tag, { type: "language" }).of(tag) ?? tag) : tag;
}
