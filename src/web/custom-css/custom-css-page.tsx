/** @jsxImportSource #jsx */
import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { invalid } from "../../errors.ts";
import type { Access } from "../../http/access.ts";
import type { Routes } from "../../http/endpoint.ts";
import { text } from "../../text.ts";
import { FormState } from "../forms/form-state.ts";
import { ErrorSummary, TextArea } from "../forms/forms.tsx";
import { linesTyped } from "../forms/untouched.ts";
import type { PageContext, Pages } from "../page.tsx";
import { Title } from "../sections.tsx";
import { local } from "../urls.ts";
import { seeOther, type View } from "../view.ts";
import { findStyleSheetErrors, STYLE_SHEET_MAX } from "./check-style-sheet.ts";
import { readCustomCss, saveCustomCss } from "./custom-css.ts";

const CustomCssForm = z.object({
  css: text({ max: STYLE_SHEET_MAX }).default(""),
  action: z.enum(["save", "remove"]).default("save"),
});

export interface CustomCssPagesDependencies {
  readonly pages: Pages;
  readonly database: Database;
  readonly access: Access;
}

/**
 * `/settings/theme`: the owner's style sheet. The program's own pages do not have it, so that mistakes in it can be
 * fixed.
 */
export function customCssPages({ pages, database, access }: CustomCssPagesDependencies): Routes {
  const show = pages.page({ access }, async (call) => {
    const saved = await readCustomCss(database.read);
    return view(call, FormState.of({ css: saved?.css ?? "" }));
  });

  const save = pages.page(
    { access, body: CustomCssForm, again: ({ form, ...context }) => view(context, form) },
    async ({ client, body: { css, action } }) => {
      const saved = await readCustomCss(database.read);
      const wanted = action === "remove" ? "" : linesTyped(css, saved?.css ?? "");
      const faults = findStyleSheetErrors(wanted);
      if (faults.length > 0)
        throw invalid([
          {
            pointer: "/css",
            code: "unknown_value",
            detail: faults.map(({ line, detail }) => `Line ${line}: ${detail}`).join("\n"),
          },
        ]);
      await database.write((sql) => saveCustomCss(sql, wanted, database.clock.now()));
      return seeOther(local("/settings/theme"), {
        scheme: client.scheme,
        notice: { code: wanted.trim() === "" ? "theme-removed" : "theme-saved" },
      });
    },
  );

  function view({ messages, site }: Pick<PageContext, "messages" | "site">, form: FormState): View {
    const labels = messages.gettingIn.customCss;
    return {
      title: labels.title,
      noIndex: true,
      body: (
        <>
          <Title text={labels.title}>{labels.intro}</Title>
          <form class="row part" method="post" action={local("/settings/theme")}>
            <div class="stack">
              <ErrorSummary form={form} messages={messages} byLine />
              <TextArea
                form={form}
                name="css"
                label={labels.css}
                hint={labels.hint}
                rows={16}
                spellcheck="false"
                autocapitalize="none"
              />
              <p class="bar">
                <button class="button" type="submit" name="action" value="save">
                  {labels.save}
                </button>
                {site.themeHash !== "" && (
                  <button class="button plain alarm" type="submit" name="action" value="remove">
                    {labels.remove}
                  </button>
                )}
                <a class="button plain" href={local("/settings")}>
                  {labels.back}
                </a>
              </p>
            </div>
          </form>
        </>
      ),
    };
  }

  return { "/settings/theme": { GET: show, POST: save } };
}
