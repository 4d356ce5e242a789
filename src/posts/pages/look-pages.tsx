/** @jsxImportSource #jsx */
import { z } from "zod";
import { ACCOUNT } from "../../accounts/tokens/token-api.ts";
import { holdKey } from "../../database/hold-key.ts";
import { ANONYMOUS } from "../../http/access.ts";
import type { Routes } from "../../http/endpoint.ts";
import { FormState } from "../../web/forms/form-state.ts";
import { ErrorRow, RadioGroup } from "../../web/forms/forms.tsx";
import type { LookTheme } from "../../web/look/look.ts";
import { samplesUrl } from "../../web/look/look-sheet.ts";
import type { PageContext } from "../../web/page.tsx";
import { NoticeBox, Section, Title } from "../../web/sections.tsx";
import { type Look, SITE_SETTINGS } from "../../web/site/site-settings.ts";
import { saveSite } from "../../web/site/site-store.ts";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import type { BlogParts } from "../blog-parts.ts";
import { listStream, listTitles } from "../site-posts.ts";
import { SeenChoices, type Shown, Thumbnail } from "./look-choices.tsx";
import type { ReadingViews } from "./reading-pages.tsx";

const { lookTheme, accent, textFace, frontPage } = SITE_SETTINGS;

const LookForm = z.object({
  theme: lookTheme.type,
  accent: accent.type,
  text: textFace.type,
  front_page: frontPage.type,
});

/** The choice that a preview leads back to; unknown words count as absent. */
const Chosen = z.object({
  theme: lookTheme.type.optional().catch(undefined),
  accent: accent.type.optional().catch(undefined),
  text: textFace.type.optional().catch(undefined),
  front_page: frontPage.type.optional().catch(undefined),
});

const Previewed = z.object({
  theme: lookTheme.type.default(lookTheme.initial),
  accent: accent.type.default(accent.initial),
  text: textFace.type.default(textFace.initial),
  front_page: frontPage.type.default(frontPage.initial),
  show: z.enum(["post", "front"]).default("post"),
  /** Whether the page where the look is chosen shows it, in a frame. */
  framed: z.enum(["yes"]).optional(),
});

/** `/settings/look`: how the site looks, with a preview of a real page before anything is saved. */
export function lookPages({ pages, database }: BlogParts, views: ReadingViews): Routes {
  const show = pages.page({ access: ACCOUNT, query: Chosen, inSnapshot: true }, (call) => {
    const given = Object.entries(call.query).filter(([, word]) => word !== undefined);
    return view(call, FormState.of({ ...valuesOf(call.site), ...Object.fromEntries(given) }));
  });

  const save = pages.page(
    { access: ACCOUNT, body: LookForm, again: ({ form, ...context }) => view(context, form) },
    async ({ client, body }) => {
      await database.write(async (sql) => {
        await holdKey(sql, "settings");
        await saveSite(sql, lookOf(body), database.clock.now());
      });
      return seeOther(local("/settings/look"), { scheme: client.scheme, notice: { code: "look-saved" } });
    },
  );

  const preview = pages.page({ access: ACCOUNT, inSnapshot: true, query: Previewed }, async (call) => {
    const { show, framed, ...chosen } = call.query;
    const look = lookOf(chosen);
    const context = { ...call, caller: ANONYMOUS, site: { ...call.site, ...look } };
    const [newest] =
      show === "post" ? await listStream(call.read, { kind: "post" }, { limit: 1, offset: 0 }) : [];
    const shown = newest === undefined ? await views.front(context, 1) : await views.post(context, newest);
    const labels = call.messages.gettingIn.look;
    return {
      ...shown,
      look,
      asReader: true,
      noIndex: true,
      ...(framed
        ? { frames: "shown" }
        : {
            body: (
              <>
                <NoticeBox>
                  {labels.isPreview} <a href={local("/settings/look", chosen)}>{labels.back}</a>
                </NoticeBox>
                {shown.body}
              </>
            ),
          }),
    };
  });

  async function view(
    { messages, read, site }: Pick<PageContext, "messages" | "read" | "site">,
    form: FormState,
  ): Promise<View> {
    const labels = messages.gettingIn.look;
    const newest = await listTitles(read, { kind: "post" }, { limit: 3, offset: 0 });
    const [first, second, third] = [...newest.map(({ title }) => title), ...labels.sampleTitles];
    const shown = { name: site.name, titles: [first, second, third] } as Shown;
    const chosen = Chosen.parse(
      Object.fromEntries(Object.keys(Chosen.shape).map((name) => [name, form.text(name)])),
    );
    return {
      title: labels.title,
      noIndex: true,
      head: <link rel="stylesheet" href={samplesUrl()} />,
      scripts: ["look-preview.js"],
      frames: "shows",
      body: (
        <>
          <Title text={labels.title}>{labels.intro}</Title>
          <form class="looks" method="post" action={local("/settings/look")}>
            <ErrorRow
              form={form}
              messages={messages}
              labels={{
                theme: labels.theme,
                accent: labels.accent,
                text: labels.face,
                front_page: labels.frontPage,
              }}
            />
            <Section title={labels.theme}>
              <SeenChoices
                form={form}
                name="theme"
                label={labels.theme}
                choices={labels.themes}
                seen={(theme) => <Thumbnail theme={theme as LookTheme} shown={shown} />}
              />
              <p class="hint">{labels.dark}</p>
            </Section>
            <Section title={labels.accent}>
              <SeenChoices form={form} name="accent" label={labels.accent} choices={labels.accents} />
            </Section>
            <Section title={labels.face}>
              <SeenChoices
                form={form}
                name="text"
                label={labels.face}
                choices={labels.faces}
                seen={() => <b aria-hidden="true">Ag</b>}
              />
            </Section>
            <Section title={labels.frontPage}>
              <RadioGroup form={form} name="front_page" label={labels.shows} choices={labels.fronts} />
              <p class="decided quiet">{labels.decided}</p>
              <p>
                <a href={local("/settings/theme")}>{labels.customCss}</a>
              </p>
            </Section>
            <div class="row chosen">
              <p class="bar">
                <button class="button" type="submit">
                  {labels.save}
                </button>
                <PreviewButton show="front" text={labels.previewFront} />
                <PreviewButton show="post" text={labels.previewPost} />
              </p>
            </div>
            {/* To be looked at: the buttons lead to the same as a page. */}
            <look-preview inert>
              <div>
                <iframe
                  src={local("/settings/look/preview", { ...chosen, show: "front", framed: "yes" })}
                  title={labels.previewFront}
                  loading="lazy"
                />
              </div>
            </look-preview>
          </form>
        </>
      ),
    };
  }

  return {
    "/settings/look": { GET: show, POST: save },
    "/settings/look/preview": { GET: preview },
  };
}

/** Sends the choice as the query of the preview: nothing is saved, also without a script. */
function PreviewButton({ show, text }: { readonly show: "post" | "front"; readonly text: string }) {
  return (
    <button
      class="button plain"
      type="submit"
      formmethod="get"
      formaction={local("/settings/look/preview")}
      name="show"
      value={show}
    >
      {text}
    </button>
  );
}

function valuesOf({ lookTheme, accent, textFace, frontPage }: Look) {
  return { theme: lookTheme, accent, text: textFace, front_page: frontPage };
}

function lookOf(form: z.output<typeof LookForm>): Look {
  return { lookTheme: form.theme, accent: form.accent, textFace: form.text, frontPage: form.front_page };
}
