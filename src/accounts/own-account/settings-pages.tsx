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
import { parseProfiles, profilesError } from "../../web/site/site-links.ts";
import { COLOR_SCHEMES, COMMENT_CHOICES, type SiteSettings } from "../../web/site/site-settings.ts";
import { readSite, saveSite } from "../../web/site/site-store.ts";
import {
  formatVerifications,
  parseVerifications,
  verificationsError,
} from "../../web/site/site-verifications.ts";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import type { AccountParts } from "../account-parts.ts";
import {
  BookmarksAccessField,
  checked,
  isLanguage,
  languageError,
  MENU_MAX,
  SiteFields,
  SiteNameField,
  timeZoneError,
} from "../site-fields.tsx";
import { ACCOUNT } from "../tokens/token-api.ts";
import { PictureFields, storePictures } from "./picture-fields.tsx";
import { checkVersion, versionOf } from "./settings-version.ts";

const SettingsForm = SiteFields.extend({
  description: text({ max: 500 }),
  time_zone: checked(text(), timeZoneError),
  language: checked(text({ min: 2, max: 35 }), languageError),
  author_line: text({ max: 300 }).optional(),
  profiles: checked(text({ max: MENU_MAX }), profilesError).optional(),
  verifications: checked(text({ max: MENU_MAX }), verificationsError).optional(),
  icon: z.file().optional(),
  cover: z.file().optional(),
  without_icon: z.literal("on").optional(),
  without_cover: z.literal("on").optional(),
  theme: z.enum(COLOR_SCHEMES),
  screen_theme: z.enum(COLOR_SCHEMES).optional(),
  date_style: z.enum(DATE_STYLES).optional(),
  single_keys: z.literal("on").optional(),
  today: z.literal("on").optional(),
  comments: z.enum(COMMENT_CHOICES).optional(),
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
  const show = pages.page({ access: ACCOUNT }, (call) => view(call, FormState.of(valuesOf(call.site))));

  const save = pages.page(
    {
      access: ACCOUNT,
      body: SettingsForm,
      takes: [FORM_BODY, MULTIPART_BODY],
      bodyLimit: 2 * limits().mediaBytes + 1024 * 1024,
      again: ({ form, refusal, ...context }) => {
        // Saving again replaces the other settings, which are shown now.
        const seen =
          refusal.reason === "precondition_failed" ? versionOf(valuesOf(context.site)) : form.text("seen");
        return view(context, form, seen);
      },
    },
    async ({ client, body, caller, messages }) => {
      const chosen = await storePictures(pictures, body, caller.account?.id, messages);
      await database.write(async (sql) => {
        await holdKey(sql, "settings");
        const stored = await readSite(sql);
        checkVersion(valuesOf(stored), typedOf(body), messages);
        await saveSite(sql, { ...settingsOf(body, stored), ...chosen }, database.clock.now());
      });
      return seeOther(local("/settings"), { scheme: client.scheme, notice: { code: "settings-saved" } });
    },
  );

  function view(
    { messages, dates, site }: Pick<PageContext, "messages" | "dates" | "site">,
    form: FormState,
    seen = versionOf(valuesOf(site)),
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
              <CheckboxGroup
                form={form}
                name="today"
                label={labels.firstPage}
                choices={[{ value: "on", text: labels.today }]}
              />
            </Section>
            <Section title={labels.library}>
              <BookmarksAccessField form={form} messages={messages} fixed={fixed.bookmarksAccess} />
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

/** The settings as the form has them. */
function valuesOf(site: SiteSettings) {
  return {
    site_name: site.name,
    description: site.description,
    language: site.language,
    time_zone: site.timeZone,
    author_line: site.authorLine,
    profiles: site.profiles.join("\n"),
    verifications: formatVerifications(site.verifications),
    theme: site.theme,
    screen_theme: site.screenTheme ?? site.theme,
    date_style: site.dateStyle,
    single_keys: site.singleKeys ? "on" : "",
    today: site.today ? "on" : "",
    ...(site.bookmarksAccess && { bookmarks_access: site.bookmarksAccess }),
    comments: site.comments ?? "accounts",
  };
}

/** The typed values in the form of {@link valuesOf}, without fixed settings, which are not shown. */
function typedOf({ profiles, verifications, icon: _, cover: __, ...form }: z.output<typeof SettingsForm>) {
  return {
    ...form,
    ...(verifications !== undefined && {
      verifications: formatVerifications(parseVerifications(verifications)),
    }),
    ...(profiles !== undefined && { profiles: parseProfiles(profiles).join("\n") }),
  };
}

function settingsOf(form: z.output<typeof SettingsForm>, stored: SiteSettings): Partial<SiteSettings> {
  return {
    name: lineTyped(form.site_name, stored.name),
    description: linesTyped(form.description, stored.description),
    language: form.language,
    timeZone: form.time_zone,
    ...(form.author_line !== undefined && { authorLine: linesTyped(form.author_line, stored.authorLine) }),
    ...(form.profiles !== undefined && { profiles: parseProfiles(form.profiles) }),
    ...(form.verifications !== undefined && { verifications: parseVerifications(form.verifications) }),
    theme: form.theme,
    screenTheme: form.screen_theme,
    ...(form.date_style && { dateStyle: form.date_style }),
    singleKeys: form.single_keys === "on",
    today: form.today === "on",
    bookmarksAccess: form.bookmarks_access,
    comments: form.comments,
  };
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
