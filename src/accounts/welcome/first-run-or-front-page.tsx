/** @jsxImportSource #jsx */
import { type Awaitable, thenSync } from "../../awaitable.ts";
import type { Database } from "../../database/database.ts";
import { CachedRead } from "../../database/load/cached-read.ts";
import type { Access } from "../../http/access.ts";
import { currentAccess } from "../../http/access.ts";
import { normalizeIp } from "../../http/client/address.ts";
import type { Client } from "../../http/client/client.ts";
import type { Page } from "../../http/endpoint.ts";
import { isLoopback } from "../../http/guards/hosts.ts";
import type { PageContext, Pages } from "../../web/page.tsx";
import { CodeBlock, Section, Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { hasAccounts } from "../account-store.ts";
import { wasForwarded } from "../service-access.ts";

const ANYONE: Access = { anonymous: true };

export interface FirstRunOrFrontPageDependencies {
  readonly pages: Pages;
  readonly database: Database;
  /** The content of `/` once there is an account. */
  readonly front: Page;
  /** Whether the library is readable without an account. */
  readonly hasOpenLibrary: () => Awaitable<boolean>;
}

/** `/`: the first steps until there is an account, then the front page. */
export function firstRunOrFrontPage({
  pages,
  database,
  front,
  hasOpenLibrary,
}: FirstRunOrFrontPageDependencies): Page {
  const accounts = new CachedRead(database, hasAccounts);
  let wasSetUp = false;
  // Once set up, always set up: later requests do not query the accounts.
  const setUp = (): Awaitable<boolean> =>
    wasSetUp ||
    thenSync(accounts.current(), (exists) => {
      wasSetUp = exists;
      return exists;
    });
  const firstRun = pages.page({}, async ({ client, ...context }) =>
    isOnThisMachine(context.request, client)
      ? firstRunView(context, client, await hasOpenLibrary())
      : notSetUpView(context),
  );
  return {
    ...front,
    contract: {
      ...front.contract,
      access: {
        current: (request, moment) =>
          thenSync(setUp(), (isSetUp) => {
            const { access } = front.contract;
            return isSetUp && access !== undefined ? currentAccess(access, request, moment) : ANYONE;
          }),
        documented: ANYONE,
      },
    },
    handle: (call) => thenSync(setUp(), (isSetUp) => (isSetUp ? front : firstRun).handle(call)),
  };
}

/** Whether a request comes from this machine itself, not through a proxy on it. */
function isOnThisMachine(request: Request, client: Client): boolean {
  return isLoopback(normalizeIp(client.address) ?? client.address) && !wasForwarded(request);
}

function firstRunView(
  { messages }: Pick<PageContext, "messages">,
  client: Client,
  hasLibrary: boolean,
): View {
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
        <Section title={labels.first}>
          <p>{labels.makeAccount}</p>
          <CodeBlock text={labels.command} />
          <p class="quiet">{labels.inContainer}</p>
          <CodeBlock text={labels.containerCommand} />
          <p class="quiet">{labels.once}</p>
        </Section>
        {hasLibrary && (
          <Section title={labels.orElse}>
            <p>{labels.lookAroundText}</p>
            <a class="button plain" href={local("/library")}>
              {labels.lookAround}
            </a>
          </Section>
        )}
        <Section title={labels.programs}>
          <p>{labels.programsText}</p>
          <CodeBlock text={labels.curl(client.origin)} />
          <p>
            <a href={local("/docs")}>{labels.documentation}</a>
          </p>
        </Section>
      </>
    ),
  };
}

function notSetUpView({ messages }: Pick<PageContext, "messages">): View {
  const labels = messages.gettingIn.notSetUp;
  const { inContainer, containerCommand } = messages.gettingIn.firstRun;
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
            <p class="quiet">{inContainer}</p>
            <CodeBlock text={containerCommand} />
          </div>
        </div>
      </>
    ),
  };
}
