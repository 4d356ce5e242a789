import { accountPages } from "../accounts/own-account/account-pages.tsx";
import { menuPage } from "../accounts/own-account/menu-page.tsx";
import { settingsPages } from "../accounts/own-account/settings-pages.tsx";
import { signInPages } from "../accounts/sign-in/sign-in-pages.tsx";
import type { SessionDependencies } from "../accounts/sign-in/start-session.ts";
import { keyPages } from "../accounts/tokens/key-pages.tsx";
import { ACCOUNT } from "../accounts/tokens/token-api.ts";
import { firstRunOrFrontPage } from "../accounts/welcome/first-run-or-front-page.tsx";
import { welcomePages } from "../accounts/welcome/welcome-pages.tsx";
import type { Awaitable } from "../awaitable.ts";
import type { Config } from "../config/config.ts";
import type { Page } from "../http/endpoint.ts";
import { limits } from "../limits.ts";
import { indexPostsOfAccount } from "../posts/indexed-posts.ts";
import { menuTargets } from "../posts/menu-targets.ts";
import { customCssPages } from "../web/custom-css/custom-css-page.tsx";
import type { Pages } from "../web/page.tsx";
import { siteFilePages } from "../web/site/site-file-pages.ts";
import type { SitePictures } from "../web/site/site-pictures.ts";
import { fixedSettings } from "./configured-access.ts";

export interface SitePagesDependencies {
  readonly config: Config;
  readonly sessions: SessionDependencies;
  readonly pages: Pages;
  readonly hasOpenLibrary: () => Awaitable<boolean>;
  readonly pictures: SitePictures;
  /** The front page of the blog, if there is one. */
  readonly blogFront: Page | undefined;
}

/** The pages that belong to no service: the first steps, signing in, the account, the settings. */
export function sitePages({
  config,
  sessions,
  pages,
  pictures,
  hasOpenLibrary,
  blogFront,
}: SitePagesDependencies) {
  const { postsAccess } = config;
  const { database } = sessions;
  const fixed = fixedSettings(config);
  const withoutPosts = pages.page({}, () => ({
    status: 302,
    body: null,
    location: pages.hasPage("/library") ? "/library" : "/docs",
  }));
  const front = blogFront ?? withoutPosts;
  return {
    files: siteFilePages({ pages, database, pictures, isPublic: postsAccess !== "private" }),
    home: firstRunOrFrontPage({ pages, database, front, hasOpenLibrary }),
    signIn: signInPages({ ...sessions, pages }),
    account: accountPages({ ...sessions, pages, onNamed: indexPostsOfAccount }),
    keys: keyPages({ pages, database }),
    settings: settingsPages({ pages, database, fixed, pictures, pictureLimit: limits().mediaBytes }),
    menu: menuPage({
      pages,
      database,
      targets: async () => (blogFront === undefined ? [] : menuTargets(database.read)),
    }),
    customCss: blogFront && customCssPages({ pages, database, access: ACCOUNT }),
    welcome: welcomePages({ ...sessions, pages, fixedAccess: fixed.bookmarksAccess }),
  };
}
