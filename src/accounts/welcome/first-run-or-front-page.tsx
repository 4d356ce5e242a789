/** @jsxImportSource #jsx */
import { CachedRead } from "../../database/cached-read.ts";
import type { Access } from "../../http/access.ts";
import { currentAccess } from "../../http/access.ts";
import { normalizeIp } from "../../http/client/address.ts";
import type { Client } from "../../http/client/client.ts";
import type { Page, Routes } from "../../http/endpoint.ts";
import { isLoopback } from "../../http/guards/hosts.ts";
import type { PageContext } from "../../web/page.tsx";
import { CodeBlock, Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import type { AccountParts } from "../account-parts.ts";
import { hasAccounts } from "../account-store.ts";
import { wasForwarded } from "../service-access.ts";

const ANYONE: Access = { anonymous: true };

/**
 * `/`: the first steps until there is an account, then the front page.
 * @param blogFront that of the blog; without one, `/` leads to the library or the documentation
 */
export function firstRunOrFrontPage(
  { pages, database, hasOpenLibrary }: AccountParts,
  blogFront: Page | undefined,
): Routes {
  const front =
    blogFront ??
    pages.page({}, () => ({
      status: 302,
      body: null,
      location: pages.hasPage("/library") ? "/library" : "/docs",
    }));
  const accounts = new CachedRead(database, hasAccounts);
  let wasSetUp = false;
  // Once set up, always set up: later requests do not query the accounts.
  const setUp = async (): Promise<boolean> => {
    wasSetUp ||= await accounts.current();
    return wasSetUp;
  };
  const firstRun = pages.page({}, async ({ client, ...context }) =>
    isOnThisMachine(context.request, client)
      ? firstRunView(context, await hasOpenLibrary())
      : notSetUpView(context),
  );
  const home: Page = {
    ...front,
    contract: {
      ...front.contract,
      access: {
        current: async (asked) => {
          const { access } = front.contract;
          return (await setUp()) && access !== undefined ? currentAccess(access, asked) : ANYONE;
        },
        documented: ANYONE,
      },
    },
    handle: async (call) => ((await setUp()) ? front : firstRun).handle(call),
  };
  return { "/": { GET: home } };
}

/** Whether a request comes from this machine itself, not through a proxy on it. */
function isOnThisMachine(request: Request, client: Client): boolean {
  return isLoopback(normalizeIp(client.address) ?? client.address) && !wasForwarded(request);
}

function firstRunView({ messages }: Pick<PageContext, "messages">, hasLibrary: boolean): View {
  const labels = messages.gettingIn.firstRun;
  return {
    title: labels.title,
    noIndex: true,
    navigation: [
      ...(hasLibrary ? [{ href: "/library", text: messages.navigation.library }] : []),
      { href: "/docs", text: messages.navigation.api },
    ],
    foot: (
      <footer class="row foot">
        <p>{labels.foot}</p>
      </footer>
    ),
    body: (
      <>
        <Title text={labels.title}>{labels.intro}</Title>
        <div class="row part">
          <div class="stack">
            <CodeBlock text={labels.command} />
            {hasLibrary && (
              <p class="quiet">
                {labels.lookAroundText} <a href={local("/library")}>{labels.lookAround}</a>
              </p>
            )}
          </div>
        </div>
      </>
    ),
  };
}

function notSetUpView({ messages }: Pick<PageContext, "messages">): View {
  const labels = messages.gettingIn.notSetUp;
  return {
    title: labels.title,
    noIndex: true,
    navigation: [],
    body: (
      <>
        <Title text={labels.title}>{labels.text}</Title>
        <div class="row part">
          <div class="stack">
            <CodeBlock text={labels.command} />
          </div>
        </div>
      </>
    ),
  };
}
