/** @jsxImportSource #jsx */
import { z } from "zod";
import type { Caller } from "../../http/access.ts";
import type { Client } from "../../http/client/client.ts";
import type { Routes } from "../../http/endpoint.ts";
import { text } from "../../text.ts";
import { FormState } from "../../web/forms/form-state.ts";
import { CheckboxGroup, ErrorSummary, TextField } from "../../web/forms/forms.tsx";
import { InstallApp } from "../../web/install-app.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageContext } from "../../web/page.tsx";
import { Section, Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import { DISPLAY_NAME_MAX } from "../account.ts";
import type { AccountParts } from "../account-parts.ts";
import { setDisplayName } from "../account-store.ts";
import { PasswordField } from "../sign-in/credential-fields.tsx";
import { endSession, type OwnSession } from "../sign-in/session-store.ts";
import { ACCOUNT, idOf } from "../tokens/token-api.ts";
import { browserName } from "./browser-name.ts";
import { changeOwnPassword } from "./change-own-password.ts";
import { currentSessionId, liveSessions } from "./own-account-api.ts";

const ACCOUNT_PAGE = local("/account");

/** `/account`: the displayed name, the password and the sessions. */
export function accountPages(dependencies: AccountParts): Routes {
  const { pages, database } = dependencies;

  const show = pages.page({ access: ACCOUNT }, (call) => view(call, {}));

  const changePassword = pages.page(
    {
      access: ACCOUNT,
      body: z.object({
        current_password: text(),
        new_password: text(),
        revoke_tokens: z.literal("yes").optional(),
      }),
      again: ({ form, ...context }) => view(context, { password: form }),
    },
    async ({ request, client, caller, body }) => {
      const change = { ...body, revoke_tokens: body.revoke_tokens === "yes" };
      await changeOwnPassword(dependencies, { request, client, caller }, change);
      return seeOther(ACCOUNT_PAGE, { scheme: client.scheme, notice: { code: "password-changed" } });
    },
  );

  const changeName = pages.page(
    {
      access: ACCOUNT,
      body: z.object({ display_name: text({ max: DISPLAY_NAME_MAX }) }),
      again: ({ form, ...context }) => view(context, { name: form }),
    },
    async ({ client, caller, body }) => {
      const name = body.display_name.trim();
      await database.write(async (sql) => {
        await setDisplayName(sql, idOf(caller), name === "" ? null : name, database.clock.now());
        await dependencies.onNamed(sql, idOf(caller));
      });
      return seeOther(ACCOUNT_PAGE, { scheme: client.scheme, notice: { code: "name-changed" } });
    },
  );

  const endOne = pages.page({ access: ACCOUNT, body: z.object({ session: text() }) }, async (call) => {
    const { client, caller, body } = call;
    await database.write((sql) => endSession(sql, idOf(caller), body.session));
    return seeOther(ACCOUNT_PAGE, { scheme: client.scheme, notice: { code: "session-ended" } });
  });

  /** The page with the form that was refused, and the other as it begins. */
  async function view(
    context: ViewContext,
    { name, password = FormState.of() }: { readonly name?: FormState; readonly password?: FormState },
  ): Promise<View> {
    const { messages, request, client, caller } = context;
    const named = name ?? FormState.of({ display_name: caller.account?.displayName ?? "" });
    const labels = messages.gettingIn.account;
    const sessions = caller.account === undefined ? [] : await liveSessions(dependencies, caller.account.id);
    const current = currentSessionId(request, client);
    return {
      title: labels.title,
      scripts: ["getting-in.js"],
      noIndex: true,
      body: (
        <>
          <Title text={labels.title}>{labels.signedInAs(caller.account?.username ?? "")}</Title>
          <Section title={labels.more}>
            <form method="post" action={local("/sign-out")} class="bar">
              <button class="button plain" type="submit">
                {labels.signOut}
              </button>
              <a class="button plain" href={local("/keys")}>
                {messages.navigation.keys}
              </a>
              <a class="button plain" href={local("/settings")}>
                {messages.navigation.settings}
              </a>
              <a class="button plain" href={local("/account/remove")}>
                {labels.remove}
              </a>
            </form>
          </Section>
          <form method="post" action={local("/account/name")}>
            <Section title={labels.displayName}>
              <ErrorSummary form={named} messages={messages} />
              <TextField
                form={named}
                name="display_name"
                label={labels.shownAs}
                hint={labels.displayNameHint(caller.account?.username ?? "")}
                maxlength={DISPLAY_NAME_MAX}
                autocomplete="name"
                short
              />
              <button class="button" type="submit">
                {labels.saveName}
              </button>
            </Section>
          </form>
          <form method="post" action={local("/account/password")}>
            <Section title={labels.password}>
              <ErrorSummary form={password} messages={messages} refused="changePassword" />
              {/* So that a password manager knows whose password this is. */}
              <input type="hidden" name="username" value={caller.account?.username} autocomplete="username" />
              <PasswordField
                messages={messages}
                form={password}
                name="current_password"
                label={labels.currentPassword}
              />
              <PasswordField
                messages={messages}
                form={password}
                name="new_password"
                label={labels.newPassword}
                hint={labels.newPasswordHint}
                isNew
              />
              <CheckboxGroup
                form={password}
                name="revoke_tokens"
                label={labels.alsoEnd}
                choices={[{ value: "yes", text: labels.revokeTokens }]}
              />
              <button class="button" type="submit">
                {labels.changePassword}
              </button>
            </Section>
          </form>
          <Section title={labels.sessions}>
            <ul class="lines">
              {sessions.map((session) => (
                <SessionLine {...context} session={session} isCurrent={session.id === current} />
              ))}
            </ul>
          </Section>
          <Section title={messages.frame.install.title}>
            <InstallApp messages={messages} />
          </Section>
        </>
      ),
    };
  }

  return {
    "/account": { GET: show },
    "/account/name": { POST: changeName },
    "/account/password": { POST: changePassword },
    "/account/sessions/end": { POST: endOne },
  };
}

interface ViewContext extends Pick<PageContext, "messages" | "dates" | "site" | "request"> {
  readonly client: Client;
  readonly caller: Caller;
}

function SessionLine({
  messages,
  dates,
  site,
  session,
  isCurrent,
}: Pick<PageContext, "messages" | "dates" | "site"> & {
  readonly session: OwnSession;
  readonly isCurrent: boolean;
}): Markup {
  const labels = messages.gettingIn.account;
  const { browser, system } = browserName(session.userAgent);
  const name = labels.browserOn(browser, system);
  return (
    <li>
      <h3>
        {name}
        {isCurrent && `, ${labels.thisOne}`}
      </h3>
      <p class="quiet">
        {labels.signedInAt(dates.dayAndTime(session.createdAt))}
        {!isCurrent && `, ${labels.lastUsed(dates.dayAndTime(session.lastSeenAt))}`} ({site.timeZone})
      </p>
      {!isCurrent && (
        <form method="post" action={local("/account/sessions/end")}>
          <button class="link-button" type="submit" name="session" value={session.id}>
            {labels.end}
            <span class="unseen">: {name}</span>
          </button>
        </form>
      )}
    </li>
  );
}
