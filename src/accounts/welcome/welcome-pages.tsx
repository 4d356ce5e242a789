/** @jsxImportSource #jsx */
import { z } from "zod";
import { invalid, Refusal, type ValidationError } from "../../errors.ts";
import type { Routes } from "../../http/endpoint.ts";
import { text } from "../../text.ts";
import { dateStyleFor } from "../../web/date-formatter.ts";
import { FormState } from "../../web/forms/form-state.ts";
import { ErrorRow, RadioGroup } from "../../web/forms/forms.tsx";
import { TimeZoneField } from "../../web/forms/time-zone-field.tsx";
import type { PageContext } from "../../web/page.tsx";
import { CodeBlock, Section, Title } from "../../web/sections.tsx";
import { SITE_SETTINGS, timeZoneError } from "../../web/site/site-settings.ts";
import { saveSite } from "../../web/site/site-store.ts";
import { local, segment } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import { passwordError, usernameError } from "../account.ts";
import type { AccountParts } from "../account-parts.ts";
import { insertAccount } from "../account-store.ts";
import { PasswordField, UsernameField } from "../sign-in/credential-fields.tsx";
import { hashPassword } from "../sign-in/password.ts";
import { landingPage } from "../sign-in/sign-in-pages.tsx";
import { countAttempt, subjectsOf } from "../sign-in/sign-in-throttle.ts";
import { startSession } from "../sign-in/start-session.ts";
import { BookmarksAccessField, SiteNameField } from "../site-fields.tsx";
import { consumeWelcomeLink, findWelcomeLink } from "./welcome-link.ts";

const Welcome = z.object({
  username: text(),
  password: text(),
  site_name: SITE_SETTINGS.name.rule,
  time_zone: text(),
  bookmarks_access: SITE_SETTINGS.bookmarksAccess.type.optional(),
  keep_copies: SITE_SETTINGS.keepCopies.type.optional(),
});

/** `/welcome/{secret}`: creates the first account and asks for the site's settings. */
export function welcomePages(dependencies: AccountParts): Routes {
  const { pages, database, fixed, fetchesCopies } = dependencies;
  const params = z.object({ secret: z.string() });

  const show = pages.page(
    { skipsAuthentication: true, params, missing },
    async ({ params, client, ...context }) => {
      const expiresAt = await expiryOf(params.secret, client.address);
      const form = FormState.of({
        site_name: context.site.name,
        time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        bookmarks_access: "private",
        keep_copies: context.site.keepCopies,
      });
      return view(context, form, params.secret, expiresAt);
    },
  );

  const submit = pages.page(
    {
      skipsAuthentication: true,
      params,
      body: Welcome,
      missing,
      again: async ({ form, pathParams: { secret = "" }, ...context }) =>
        view(context, form, secret, await expiryOf(secret, context.client.address)),
    },
    async ({ request, client, params, body, site }) => {
      await expiryOf(params.secret, client.address);
      const { username, password, site_name: name, time_zone: timeZone, bookmarks_access } = body;
      throwErrorsOf(body);
      const passwordHash = await hashPassword(password);
      const account = await database.write(async (sql) => {
        const now = database.clock.now();
        if (!(await consumeWelcomeLink(sql, params.secret, now))) throw noSuchLink();
        const settings = {
          ...{ name, timeZone, bookmarksAccess: bookmarks_access, keepCopies: body.keep_copies },
          dateStyle: dateStyleFor(request.headers.get("accept-language")),
        };
        await saveSite(sql, settings, now);
        return insertAccount(sql, username, passwordHash, now);
      });
      const session = account && (await startSession(dependencies, request, client, account));
      if (session === undefined) throw new Error("the account that was just created is gone");
      dependencies.log.info("First account created.", { account: username, address: client.address });
      const cookies = [session.cookie];
      return seeOther(landingPage(pages, site), {
        scheme: client.scheme,
        notice: { code: "welcome" },
        cookies,
      });
    },
  );

  /** @throws Refusal `not_found` when the link does not work; `too_many_requests` after many attempts */
  async function expiryOf(secret: string, address: string): Promise<Date> {
    const expiresAt = await findWelcomeLink(database.read, secret, database.clock.now());
    if (expiresAt !== undefined) return expiresAt;
    await database.write((sql) =>
      countAttempt(sql, subjectsOf("a welcome link", address), database.clock.now()),
    );
    throw noSuchLink();
  }

  function view(
    { messages, dates, site }: Pick<PageContext, "messages" | "dates" | "site">,
    form: FormState,
    secret: string,
    expiresAt: Date,
  ): View {
    const labels = messages.gettingIn.welcome;
    const until = labels.until(dates.time(expiresAt), site.timeZone);
    return {
      title: labels.title,
      caching: "private",
      noIndex: true,
      navigation: [],
      scripts: ["getting-in.js"],
      foot: (
        <footer class="row foot">
          <p>{until}</p>
        </footer>
      ),
      body: (
        <>
          <Title text={labels.title}>{labels.intro}</Title>
          <form method="post" action={local(`/welcome/${segment(secret)}`)}>
            <ErrorRow
              form={form}
              messages={messages}
              refused="createAccount"
              labels={{ site_name: labels.siteName, time_zone: messages.forms.timeZone }}
            />
            <Section title={labels.you}>
              <UsernameField form={form} label={labels.name} hint={labels.nameHint} isNew />
              <PasswordField
                messages={messages}
                form={form}
                label={labels.password}
                hint={labels.passwordHint}
                isNew
              />
            </Section>
            <Section title={labels.site}>
              <SiteNameField form={form} label={labels.siteName} />
              <TimeZoneField form={form} messages={messages} isOwn />
            </Section>
            <Section title={labels.library}>
              <BookmarksAccessField form={form} messages={messages} fixed={fixed.bookmarksAccess} />
              {fetchesCopies && (
                <RadioGroup
                  form={form}
                  name="keep_copies"
                  label={messages.copying.welcome.label}
                  hint={messages.copying.welcome.hint}
                  choices={messages.copying.welcome.choices}
                />
              )}
              <button class="button" type="submit">
                {labels.submit}
              </button>
            </Section>
          </form>
        </>
      ),
    };
  }

  return { "/welcome/{secret}": { GET: show, POST: submit } };
}

function throwErrorsOf({ username, password, time_zone }: z.output<typeof Welcome>): void {
  const found: readonly (readonly [string, string | undefined])[] = [
    ["/username", usernameError(username)],
    ["/password", passwordError(password)?.detail],
    ["/time_zone", timeZoneError(time_zone)],
  ];
  const errors = found.flatMap(([pointer, detail]): ValidationError[] =>
    detail === undefined ? [] : [{ pointer, code: "unknown_value", detail }],
  );
  if (errors.length > 0) throw invalid(errors);
}

/** The page of a link that does not work. */
function missing({ messages }: PageContext): View {
  const { title, text, command, signIn } = messages.gettingIn.welcome.expired;
  return {
    title,
    noIndex: true,
    navigation: [],
    body: (
      <>
        <Title text={title}>{text}</Title>
        <div class="row part">
          <div class="stack">
            <CodeBlock text={command} />
            <p>
              <a href={local("/sign-in")}>{signIn}</a>
            </p>
          </div>
        </div>
      </>
    ),
  };
}

function noSuchLink(): Refusal {
  return new Refusal(
    "not_found",
    "This link for creating the first account is invalid or expired. Run “commonplace welcome” for a new one.",
  );
}
