/** @jsxImportSource #jsx */
import { z } from "zod";
import type { Caller } from "../../http/access.ts";
import type { Client } from "../../http/client/client.ts";
import { text } from "../../text.ts";
import { FormState } from "../../web/forms/form-state.ts";
import { CheckboxGroup, ErrorSummary } from "../../web/forms/forms.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageContext, Pages } from "../../web/page.tsx";
import { Section, Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import { PasswordField } from "../sign-in/credential-fields.tsx";
import { endSession, type OwnSession } from "../sign-in/session-store.ts";
import type { SessionParts } from "../sign-in/start-session.ts";
import { ACCOUNT, idOf } from "../tokens/token-api.ts";
import { browserName } from "./browser-name.ts";
import { changeOwnPassword } from "./change-own-password.ts";
import { currentSessionId, liveSessions } from "./own-account-api.ts";

const ACCOUNT_PAGE = local("/account");

/** `/account`: the password and the sessions. */
export function accountPages(parts: SessionParts & { readonly pages: Pages }) {
  const { pages, database } = parts;

  const show = pages.page({ access: ACCOUNT }, (call) => view(call, FormState.of()));

  const changePassword = pages.page(
    {
      access: ACCOUNT,
      body: z.object({
        current_password: text(),
        new_password: text(),
        revoke_tokens: z.literal("yes").optional(),
      }),
      again: ({ form, ...context }) => view(context, form),
    },
    async ({ request, client, caller, body }) => {
      const change = { ...body, revoke_tokens: body.revoke_tokens === "yes" };
      await changeOwnPassword(parts, { request, client, caller }, change);
      return seeOther(ACCOUNT_PAGE, { scheme: client.scheme, notice: { code: "password-changed" } });
    },
  );

  const endOne = pages.page({ access: ACCOUNT, body: z.object({ session: text() }) }, async (call) => {
    const { client, caller, body } = call;
    await database.write((sql) => endSession(sql, idOf(caller), body.session));
    return seeOther(ACCOUNT_PAGE, { scheme: client.scheme, notice: { code: "session-ended" } });
  });

  async function view(context: ViewContext, form: FormState): Promise<View> {
    const { words, request, client, caller } = context;
    const say = words.gettingIn.account;
    const sessions = caller.account === undefined ? [] : await liveSessions(parts, caller.account.id);
    const current = client && currentSessionId(request, client);
    return {
      title: say.title,
      noIndex: true,
      body: (
        <>
          <Title text={say.title}>{say.signedInAs(caller.account?.username ?? "")}</Title>
          <Section title={say.more}>
            <form method="post" action={local("/sign-out")} class="bar">
              <button class="button plain" type="submit">
                {say.signOut}
              </button>
              <a class="button plain" href={local("/keys")}>
                {words.navigation.keys}
              </a>
              <a class="button plain" href={local("/settings")}>
                {words.navigation.settings}
              </a>
            </form>
          </Section>
          <form method="post" action={local("/account/password")}>
            <Section title={say.password}>
              <ErrorSummary
                form={form}
                words={words}
                refused="changePassword"
                labels={{ current_password: say.currentPassword, new_password: say.newPassword }}
              />
              {/* So that a password manager knows whose password this is. */}
              <input type="hidden" name="username" value={caller.account?.username} autocomplete="username" />
              <PasswordField form={form} name="current_password" label={say.currentPassword} />
              <PasswordField
                form={form}
                name="new_password"
                label={say.newPassword}
                hint={say.newPasswordHint}
                isNew
              />
              <CheckboxGroup
                form={form}
                name="revoke_tokens"
                label={say.alsoEnd}
                choices={[{ value: "yes", text: say.revokeTokens }]}
              />
              <button class="button" type="submit">
                {say.changePassword}
              </button>
            </Section>
          </form>
          <Section title={say.sessions}>
            <ul class="lines">
              {sessions.map((session) => (
                <SessionLine {...context} session={session} isCurrent={session.id === current} />
              ))}
            </ul>
          </Section>
        </>
      ),
    };
  }

  return { show, changePassword, endSession: endOne };
}

interface ViewContext extends Pick<PageContext, "words" | "dates" | "site" | "request"> {
  readonly client: Client | undefined;
  readonly caller: Caller;
}

function SessionLine({
  words,
  dates,
  site,
  session,
  isCurrent,
}: Pick<PageContext, "words" | "dates" | "site"> & {
  readonly session: OwnSession;
  readonly isCurrent: boolean;
}): Markup {
  const say = words.gettingIn.account;
  const { browser, system } = browserName(session.userAgent);
  const name = say.browserOn(browser, system);
  return (
    <li>
      <h3>
        {name}
        {isCurrent && `, ${say.thisOne}`}
      </h3>
      <p class="quiet">
        {say.signedInAt(dates.dayAndTime(session.createdAt))}
        {!isCurrent && `, ${say.lastUsed(dates.dayAndTime(session.lastSeenAt))}`} ({site.timeZone})
      </p>
      {!isCurrent && (
        <form method="post" action={local("/account/sessions/end")}>
          <button class="link-button" type="submit" name="session" value={session.id}>
            {say.end}
            <span class="unseen">: {name}</span>
          </button>
        </form>
      )}
    </li>
  );
}
