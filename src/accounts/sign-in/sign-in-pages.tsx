/** @jsxImportSource #jsx */
import { z } from "zod";
import { Signer } from "../../database/signer.ts";
import type { UnroutedPage } from "../../http/dispatch.ts";
import type { Routes } from "../../http/endpoint.ts";
import { FormState } from "../../web/forms/form-state.ts";
import { ErrorSummary } from "../../web/forms/forms.tsx";
import type { PageContext, Pages } from "../../web/page.tsx";
import { CodeBlock, Title } from "../../web/sections.tsx";
import type { SiteSettings } from "../../web/site/site-settings.ts";
import { local, localTarget, type SafeUrl, SIGNED_IN_BESIDE } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import { Credentials } from "../account.ts";
import type { AccountParts } from "../account-parts.ts";
import { hasAccounts } from "../account-store.ts";
import { PasswordField, UsernameField } from "./credential-fields.tsx";
import { knownBrowserCookie } from "./known-browser.ts";
import { clearCookie, hashOfSession, sessionKeyOf } from "./session.ts";
import { deleteSession } from "./session-store.ts";
import { signInForSession } from "./start-session.ts";

const next = z.string().optional();

/** `/sign-in` and `/sign-out`. */
export function signInPages(dependencies: AccountParts): Routes {
  const { pages, database } = dependencies;

  const show = pages.page(
    { query: z.object({ next, beside: next }) },
    async ({ query, caller, ...context }) => {
      if (caller.account !== undefined && query.beside !== undefined) return besideView(context.messages);
      if (caller.account !== undefined)
        return seeOther(localTarget(query.next, landingPage(pages, context.site)));
      return view(context, FormState.of({ next: query.next ?? "" }), await hasAccounts(database.read));
    },
  );

  const submit = pages.page(
    {
      skipsAuthentication: true,
      usesReserve: true,
      body: Credentials.extend({ next }),
      again: ({ form, ...context }) => view(context, form, true),
    },
    async ({ request, client, body, site }) => {
      const { account, cookie } = await signInForSession(dependencies, request, client, body);
      const known = await knownBrowserCookie(new Signer(database), client, account.username);
      const target = localTarget(body.next, landingPage(pages, site));
      return seeOther(target, { scheme: client.scheme, cookies: [cookie, known] });
    },
  );

  const signOut = pages.page({ body: z.object({}), usesReserve: true }, async ({ request, client }) => {
    const key = sessionKeyOf(request, client.scheme);
    if (key !== undefined) await database.write((sql) => deleteSession(sql, hashOfSession(key)));
    return seeOther(local("/sign-in"), {
      scheme: client.scheme,
      notice: { code: "signed-out" },
      cookies: [clearCookie(client.scheme)],
    });
  });

  /** The target for a typed address: the account page has the button to sign out. */
  const showSignOut = pages.page({}, () => seeOther(local("/account")));

  return {
    "/sign-in": { GET: show, POST: submit },
    "/sign-out": { GET: showSignOut, POST: signOut },
  };
}

/** Where other programs have their sign-in, so that people who look for it there find this one. */
const DOORS: ReadonlySet<string> = new Set([
  ...["/admin", "/dashboard", "/ghost", "/login", "/signin", "/wp-admin", "/wp-login.php"],
]);

/** Leads from those addresses to the sign-in, unless a page or redirect of the site has the address. */
export function signInDoor({ pages }: AccountParts): UnroutedPage {
  return {
    operation: pages.page({}, () => seeOther(local("/sign-in"))),
    paramsOf: (path) => (DOORS.has(path.replace(/\/$/, "")) ? {} : undefined),
  };
}

/** The default page after sign-in. */
export function landingPage(pages: Pages, { today }: Pick<SiteSettings, "today">): SafeUrl {
  if (today && pages.hasPage("/today")) return local("/today");
  return pages.hasPage("/library") ? local("/library") : local("/account");
}

/** The end of a sign-in beside a page that waits. */
function besideView({ gettingIn }: PageContext["messages"]): View {
  const { title, text } = gettingIn.signIn.beside;
  return { title, noIndex: true, caching: "private", body: <Title text={title}>{text}</Title> };
}

function view(
  { messages, site }: Pick<PageContext, "messages" | "site">,
  form: FormState,
  canSignIn: boolean,
): View {
  const labels = messages.gettingIn.signIn;
  return {
    title: labels.title,
    description: labels.description(site.name),
    noIndex: true,
    scripts: ["getting-in.js"],
    keepsOpener: /^\/library\/new\?(?:.*&)?(?:window|auto_close)=/.test(form.text("next")),
    body: canSignIn ? (
      <>
        <Title text={labels.title} />
        <form class="row part" method="post" action={local("/sign-in")}>
          <div class="stack">
            <ErrorSummary
              form={form}
              messages={messages}
              refused="signIn"
              labels={{ username: labels.name, password: labels.password }}
            />
            {!["", SIGNED_IN_BESIDE].includes(form.text("next")) && !form.isRefused && (
              <p class="quiet">{labels.intro}</p>
            )}
            <input type="hidden" name="next" value={form.text("next")} />
            <UsernameField form={form} label={labels.name} />
            <PasswordField messages={messages} form={form} label={labels.password} />
            <button class="button" type="submit">
              {labels.submit}
            </button>
            <p class="quiet">{labels.forgotten}</p>
            <details>
              <summary>{labels.forAdministrator}</summary>
              <p class="quiet">{labels.forgottenText}</p>
              <CodeBlock text={labels.forgottenCommand} />
            </details>
          </div>
        </form>
      </>
    ) : (
      <>
        <Title text={labels.title}>{labels.noAccounts}</Title>
        <div class="row part">
          <div class="stack">
            <CodeBlock text={labels.noAccountsCommand} />
          </div>
        </div>
      </>
    ),
  };
}
