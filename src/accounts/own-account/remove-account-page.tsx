/** @jsxImportSource #jsx */
import { z } from "zod";
import type { Sql } from "../../database/database.ts";
import { invalid, Refusal } from "../../errors.ts";
import { unauthenticated } from "../../http/access.ts";
import type { Routes } from "../../http/endpoint.ts";
import { text } from "../../text.ts";
import { FormState } from "../../web/forms/form-state.ts";
import { ErrorSummary, TextField } from "../../web/forms/forms.tsx";
import type { PageContext, Pages } from "../../web/page.tsx";
import { CodeBlock, Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import { usernameKey } from "../account.ts";
import type { AccountParts } from "../account-parts.ts";
import { isLastAccount, isOnlyAccount, removeAccount } from "../account-store.ts";
import { PasswordField } from "../sign-in/credential-fields.tsx";
import { clearCookie } from "../sign-in/session.ts";
import { checkCredentials } from "../sign-in/sign-in.ts";
import { ACCOUNT } from "../tokens/token-api.ts";
import { asWrongPassword } from "./change-own-password.ts";

/** Whether others stay who can sign in: `last` is the last account of all, `only` leaves disabled ones behind. */
type Left = "others" | "only" | "last";

/** `/account/remove`: deletes the caller's account; the last one, too, but not one that leaves only disabled ones behind. */
export function removeAccountPage({ pages, database, log, onNamed }: AccountParts): Routes {
  const show = pages.page({ access: ACCOUNT }, (call) => showForm(call, FormState.of({})));

  const submit = pages.page(
    {
      access: ACCOUNT,
      body: z.object({ current_password: text(), username: text().optional() }),
      again: ({ form, ...context }) => showForm(context, form),
    },
    async ({ client, caller, body }) => {
      if (caller.account === undefined) throw unauthenticated();
      const { username } = caller.account;
      if (body.username !== undefined && usernameKey(body.username.trim()) !== usernameKey(username))
        throw invalid([
          {
            pointer: "/username",
            code: "unconfirmed",
            detail: `This is not the name of your account, ${username}.`,
          },
        ]);
      const credentials = { username, password: body.current_password };
      const { id } = await checkCredentials({ database, log }, credentials, client).catch(asWrongPassword);
      const isRemoved = await database.write(async (sql) => {
        const evenOnly = body.username === undefined ? "never" : "last";
        if (!(await removeAccount(sql, id, database.clock.now(), evenOnly))) return false;
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

  async function showForm(context: Pick<PageContext, "messages" | "caller">, form: FormState): Promise<View> {
    const { account } = context.caller;
    return view(
      pages,
      context,
      form,
      account === undefined ? "others" : await leftBy(database.read, account.id),
    );
  }

  return { "/account/remove": { GET: show, POST: submit } };
}

async function leftBy(sql: Sql, id: number): Promise<Left> {
  if (!(await isOnlyAccount(sql, id))) return "others";
  return (await isLastAccount(sql, id)) ? "last" : "only";
}

function view(
  pages: Pages,
  { messages, caller }: Pick<PageContext, "messages" | "caller">,
  form: FormState,
  left: Left,
): View {
  const labels = messages.gettingIn.removeAccount;
  const username = caller.account?.username ?? "";
  return {
    title: labels.title,
    noIndex: true,
    scripts: ["getting-in.js"],
    body: (
      <>
        <Title text={labels.title}>
          {left === "others" ? labels.text : left === "last" ? labels.lastOne : labels.onlyOne}
        </Title>
        <div class="row part">
          {left === "only" ? (
            <div class="stack">
              <p>{labels.withCommand}</p>
              <CodeBlock text={labels.command(username)} />
            </div>
          ) : (
            <form class="stack" method="post" action={local("/account/remove")}>
              <ErrorSummary form={form} messages={messages} refused="removeAccount" />
              {left === "last" && (
                <>
                  <p>{labels.afterLast}</p>
                  <CodeBlock text={labels.next} />
                </>
              )}
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
              {left === "last" && (
                <TextField
                  form={form}
                  name="username"
                  label={labels.typeName}
                  hint={labels.typeNameHint(username)}
                  autocomplete="off"
                  required
                  short
                />
              )}
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
