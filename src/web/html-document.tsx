/** @jsxImportSource #jsx */
import type { Caller } from "../http/access.ts";
import { type AssetName, assetUrl } from "./assets.ts";
import type { Children, Markup } from "./jsx/preact.js";
import { languageOf } from "./language-of.ts";
import { lookSheetUrl } from "./look/look-sheet.ts";
import type { Messages } from "./messages/en.ts";
import { isCurrent, type Menus, type NavigationEntry } from "./navigation.ts";
import { PhoneBar } from "./phone-bar.tsx";
import { ownIconUrl } from "./site/site-pictures.ts";
import type { SiteSettings } from "./site/site-settings.ts";
import { anyUrl, fragment, local, type SafeUrl } from "./urls.ts";
import type { View } from "./view.ts";

export interface HtmlDocumentProps {
  readonly view: View;
  readonly sheet: AssetName;
  readonly messages: Messages;
  readonly site: SiteSettings;
  /** The path of the page, to mark its entry in the navigation. */
  readonly path: string;
  readonly caller: Caller | undefined;
  readonly menus: Menus;
  readonly notice: Children;
}

/** The HTML document around the content of a page. */
export function HtmlDocument({
  view,
  sheet,
  messages,
  site,
  path,
  caller,
  menus,
  notice,
}: HtmlDocumentProps): Markup {
  const { title, layout, scripts = [] } = view;
  const chosen = (caller?.account && site.screenTheme) ?? site.theme;
  const colorScheme = chosen === "auto" ? undefined : chosen;
  // Ctrl K on the pages of the owner: those with the library's script load it when it is pressed.
  const hasFinder =
    caller?.account !== undefined &&
    !view.forReaders &&
    layout !== "window" &&
    !scripts.includes("editor.js");
  const loadsFinder = hasFinder && scripts.includes("library.js");
  const lookSheet = view.forReaders ? lookSheetUrl(view.look ?? site) : undefined;
  // Neither on the way to an account nor in a small window, where the page has no menu or another one.
  const hasOwnMenu = caller?.account !== undefined && view.navigation === undefined && layout !== "window";
  const hasBar = hasOwnMenu && !scripts.includes("editor.js");
  const isOwnPage = hasOwnMenu && !view.forReaders;
  const favicon = ownIconUrl(site, "favicon.ico");
  return (
    <html
      lang={messages.language}
      data-theme={colorScheme}
      data-finder={loadsFinder ? assetUrl("find.js") : undefined}
      data-unreached={hasFinder || scripts.includes("library.js") ? messages.unreached : undefined}
    >
      <head>
        <meta charset="utf-8" />
        <title>{title === site.name ? title : `${title} · ${site.name}`}</title>
        <meta
          name="viewport"
          content={`width=device-width, initial-scale=1, interactive-widget=resizes-content${hasBar ? ", viewport-fit=cover" : ""}`}
        />
        <meta name="color-scheme" content={colorScheme ?? "light dark"} />
        {view.description && <meta name="description" content={view.description} />}
        {view.noIndex && <meta name="robots" content="noindex" />}
        <link rel="stylesheet" href={assetUrl(sheet)} />
        {lookSheet && <link rel="stylesheet" href={lookSheet} />}
        {view.forReaders && site.themeHash !== "" && (
          <link rel="stylesheet" href={local(`/assets/${site.themeHash}/theme.css`)} />
        )}
        {favicon === undefined ? (
          <link rel="icon" href={local("/icon.svg")} type="image/svg+xml" />
        ) : (
          <link rel="icon" href={favicon} type="image/png" />
        )}
        <link
          rel="apple-touch-icon"
          href={ownIconUrl(site, "apple-touch-icon.png") ?? local("/apple-touch-icon.png")}
        />
        <link rel="manifest" href={local("/manifest.webmanifest")} />
        {view.head}
        {scripts.map((name) => (
          <script type="module" src={assetUrl(name)} />
        ))}
        {hasFinder && !loadsFinder && <script type="module" src={assetUrl("find.js")} />}
      </head>
      <body>
        <div class={["leaf", layout, hasBar ? "with-bar" : undefined].filter(Boolean).join(" ")}>
          {layout !== "window" && (
            <>
              <a class="skip" href={fragment("main")}>
                {messages.skip}
              </a>
              {hasOwnMenu && !isOwnPage && (
                <section class="row owner" aria-label={messages.frame.own}>
                  <Navigation
                    label={messages.frame.own}
                    messages={messages}
                    entries={menus.own}
                    path={path}
                  />
                  <div class="aside">
                    <Account messages={messages} path={path} caller={caller} />
                  </div>
                </section>
              )}
              <header class={isOwnPage ? "row top own" : "row top"}>
                <div class="margin">
                  <a class="name h-card" href={local("/")} lang={languageOf(site, messages)} dir="auto">
                    {favicon && view.forReaders && (
                      <img class="logo u-logo" src={favicon} width={32} height={32} alt="" />
                    )}
                    {site.name}
                  </a>
                </div>
                {view.tagline && (
                  <p class="tagline" lang={languageOf(site, messages)} dir="auto">
                    {view.tagline}
                  </p>
                )}
                <Navigation
                  label={messages.mainNavigation}
                  messages={messages}
                  entries={view.navigation ?? menus.header}
                  path={path}
                />
                <div class="aside">
                  {(isOwnPage || !hasOwnMenu) && <Account messages={messages} path={path} caller={caller} />}
                </div>
              </header>
            </>
          )}
          <main id="main" class={view.class}>
            {notice}
            {view.body}
          </main>
          {layout !== "window" && (view.foot ?? <Foot messages={messages} entries={menus.foot} />)}
          {hasBar && <PhoneBar messages={messages} menus={menus} path={path} />}
        </div>
      </body>
    </html>
  );
}

interface NavigationProps {
  readonly label: string;
  readonly messages: Messages;
  readonly entries: readonly NavigationEntry[];
  readonly path: string;
}

/** The entries of the head that are shown at once; a menu may have a hundred. */
const SHOWN_AT_ONCE = 14;

function Navigation({ label, messages, entries, path }: NavigationProps): Markup | null {
  if (entries.length === 0) return null;
  const links = entries.map(({ href, text, count }) => (
    <a href={anyUrl(href)} aria-current={isCurrent(href, path) ? "page" : undefined} dir="auto">
      {text}
      {count !== undefined && count > 0 && (
        <>
          {" "}
          <span class="count">{count}</span>
        </>
      )}
    </a>
  ));
  // One link takes no more room than what would hide it.
  const shown = links.length > SHOWN_AT_ONCE + 1 ? SHOWN_AT_ONCE : links.length;
  const others = links.slice(shown);
  return (
    <nav aria-label={label}>
      {links.slice(0, shown)}
      {others.length > 0 && (
        <details open={entries.slice(shown).some(({ href }) => isCurrent(href, path))}>
          <summary>{messages.moreOfMenu(others.length)}</summary>
          {others}
        </details>
      )}
    </nav>
  );
}

/** The pages that the account page leads to, and that have no entry of their own in the header. */
const OWN_PAGES: readonly string[] = ["/account", "/keys", "/settings"];

function Account({
  messages,
  path,
  caller,
}: Pick<HtmlDocumentProps, "messages" | "path" | "caller">): Markup | null {
  const account: SafeUrl = local("/account");
  if (caller?.account === undefined) return null;
  return (
    <a
      href={account}
      aria-current={path === account ? "page" : OWN_PAGES.some((own) => isCurrent(own, path)) || undefined}
    >
      <span class="unseen">{messages.navigation.account}: </span>
      {caller.account.username}
    </a>
  );
}

function Foot({ messages, entries }: Omit<NavigationProps, "label" | "path">): Markup | null {
  if (entries.length === 0) return null;
  return (
    <footer class="row foot">
      <nav aria-label={messages.footNavigation}>
        {entries.map(({ href, text }) => (
          <a href={anyUrl(href)}>{text}</a>
        ))}
      </nav>
    </footer>
  );
}
