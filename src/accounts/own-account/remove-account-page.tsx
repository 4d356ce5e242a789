/** @jsxImportSource #jsx */
import { z } from "zod";
import { Refusal } from "../../errors.ts";
import { unauthenticated } from "../../http/access.ts";
import type { Routes } from "../../http/endpoint.ts";
import { text } from "../../text.ts";
import { FormState } from "../../web/forms/form-state.ts";
import { ErrorSummary } from "../../web/forms/forms.tsx";
import type { PageContext, Pages } from "../../web/page.tsx";
import { CodeBlock, Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import type { AccountParts } from "../account-parts.ts";
import { isOnlyAccount, removeAccount } from "../account-store.ts";
import { PasswordField } from "../sign-in/credential-fields.tsx";
import { clearCookie } from "../sign-in/session.ts";
import { checkCredentials } from "../sign-in/sign-in.ts";
import { ACCOUNT, idOf } from "../tokens/token-api.ts";
import { asWrongPassword } from "./change-own-password.ts";

/** `/account/remove`: deletes the caller's account, unless nobody could sign in without it. */
export function removeAccountPage({ pages, database, log, onNamed }: AccountParts): Routes {
  const show = pages.page({ access: ACCOUNT }, async (call) =>
    view(
      pages,
      call,
      FormState.of({}),
      (await isOnlyAccount(database.read, idOf(call.caller))) ? call.caller.account?.username : undefined,
    ),
  );

  const submit = pages.page(
    {
      access: ACCOUNT,
      body: z.object({ current_password: text() }),
      again: async ({ form, ...context }) => view(pages, context, form, undefined),
    },
    async ({ client, caller, body }) => {
      if (caller.account === undefined) throw unauthenticated();
      const { username } = caller.account;
      const credentials = { username, password: body.current_password };
      const { id } = await checkCredentials({ database, log }, credentials, client).catch(asWrongPassword);
      const isRemoved = await database.write(async (sql) => {
        if (!(await removeAccount(sql, id, database.clock.now()))) return false;
        await onNamed(sql, id);
        return true;
      });
      if (!isRemoved)
        throw new Refusal("conflict", "This is the only account: without it, nobody could sign in.");
      log.info("An account was deleted by its owner.", { account: username, address: client.address });
      return seeOther(local("/sign-in"), {
        scheme: client.scheme,
        notice: { code: "account-removed" },
        cookies: [clearCookie(client.scheme)],
      });
    },
  );

  return { "/account/remove": { GET: show, POST: submit } };
}

/** @param only the username, if it is the only account that can sign in */
function view(
  pages: Pages,
  { messages }: Pick<PageContext, "messages">,
  form: FormState,
  only: string | undefined,
): View {
  const labels = messages.gettingIn.removeAccount;
  return {
    title: labels.title,
    noIndex: true,
    scripts: ["getting-in.js"],
    body: (
      <>
        <Title text={labels.title}>{only === undefined ? labels.text : labels.onlyOne}</Title>
        <div class="row part">
          {only !== undefined ? (
            <div class="stack">
              <p>{labels.withCommand}</p>
              <CodeBlock text={labels.command(only)} />
            </div>
          ) : (
            <form class="stack" method="post" action={local("/account/remove")}>
              <ErrorSummary form={form} messages={messages} refused="removeAccount" />
              {pages.hasPage("/library/export") && (
                <p>
                  <a href={local("/library/export")}>{labels.exportFirst}</a>
                </p>
              )}
              <PasswordField
                messages={messages}
                form={form}
                name="current_password"
                label={messages.gettingIn.account.currentPassword}
              />
              <button class="button plain alarm" type="submit">
                {labels.submit}
              </button>
            </form>
          )}
        </div>
      </>
    ),
  };
}
