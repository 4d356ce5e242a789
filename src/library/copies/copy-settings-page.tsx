/** @jsxImportSource #jsx */
import { z } from "zod";
import { ACCOUNT } from "../../accounts/tokens/token-api.ts";
import { usualSize } from "../../copies/copy-room.ts";
import { countLinks, waitingFetches } from "../../copies/fetching/fetch-all.ts";
import { holdKey } from "../../database/hold-key.ts";
import type { Routes } from "../../http/endpoint.ts";
import { FormState } from "../../web/forms/form-state.ts";
import { ErrorRow, RadioGroup } from "../../web/forms/forms.tsx";
import type { PageContext } from "../../web/page.tsx";
import { CodeInText, Section, Title } from "../../web/sections.tsx";
import { SITE_SETTINGS } from "../../web/site/site-settings.ts";
import { saveSite } from "../../web/site/site-store.ts";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import type { LibraryParts } from "../library-parts.ts";
import { FetchButton, WaitingLine } from "./failures-page.tsx";

const PAGE = "/settings/copies";
const Form = z.object({ keep_copies: SITE_SETTINGS.keepCopies.type });

/** `/settings/copies`: when copies are kept, the room that they take, and copies of all links. */
export function copySettingsPage({ pages, database, copyParts }: LibraryParts): Routes {
  const { room, fetching } = copyParts;

  const show = pages.page({ access: ACCOUNT, inSnapshot: true }, (call) =>
    view(call, FormState.of({ keep_copies: call.site.keepCopies })),
  );

  const save = pages.page(
    { access: ACCOUNT, body: Form, again: ({ form, ...context }) => view(context, form) },
    async ({ body, client }) => {
      await database.write(async (sql) => {
        await holdKey(sql, "settings");
        await saveSite(sql, { keepCopies: body.keep_copies }, database.clock.now());
      });
      return seeOther(local(PAGE), { scheme: client.scheme, notice: { code: "settings-saved" } });
    },
  );

  async function view(
    { messages, site, read }: Pick<PageContext, "messages" | "site" | "read">,
    form: FormState,
  ): Promise<View> {
    const { settings: labels, when, failures } = messages.copying;
    const state = await room.state(read);
    const missing = await countLinks(read, "missing");
    const failed = await countLinks(read, "failed");
    const waiting = await waitingFetches(read);
    const size = usualSize(state);
    const places = Math.floor(Math.max(state.max - state.taken, 0) / size);
    const running = waiting.all.missing;
    return {
      title: labels.title,
      noIndex: true,
      body: (
        <>
          <Title text={labels.title}>{labels.intro}</Title>
          <form method="post" action={local(PAGE)}>
            <ErrorRow form={form} messages={messages} labels={{ keep_copies: when.label }} />
            <Section title={labels.when}>
              {fetching === undefined ? (
                <p class="quiet">
                  <CodeInText text={when.isOff} />
                </p>
              ) : (
                <>
                  <RadioGroup form={form} name="keep_copies" label={when.label} choices={when.choices} />
                  <button class="button" type="submit">
                    {labels.save}
                  </button>
                </>
              )}
            </Section>
          </form>
          <Section title={labels.room}>
            <p>
              <CodeInText text={labels.taken(state.count, state.taken, state.max)} />
            </p>
          </Section>
          {fetching !== undefined && (
            <Section title={labels.all}>
              {running !== undefined ? (
                <p role="status">{labels.running(running.done, running.total)}</p>
              ) : missing === 0 ? (
                <p>{labels.noneMissing}</p>
              ) : (
                <>
                  <p>
                    {labels.missing(missing)} {labels.cost(missing, missing * size)}{" "}
                    {places < missing && labels.tooMuch(places)}
                  </p>
                  {site.keepCopies === "never" ? (
                    <p class="quiet">{labels.notChosen}</p>
                  ) : (
                    <FetchButton links="missing" text={labels.start(missing)} back={PAGE} />
                  )}
                </>
              )}
            </Section>
          )}
          <Section title={labels.requests}>
            <WaitingLine waiting={waiting} messages={messages} back={PAGE} />
            <p>
              <a href={local("/library/copies")}>{failures.title}</a>{" "}
              <span class="hint">{failures.count(failed)}</span>
            </p>
          </Section>
        </>
      ),
    };
  }

  return { [PAGE]: { GET: show, POST: save } };
}
