import type { Sql } from "../database/database.ts";
import type { Pages } from "../web/page.tsx";
import type { SitePictures } from "../web/site/site-pictures.ts";
import type { SiteLink } from "../web/site/site-settings.ts";
import type { SessionDependencies } from "./sign-in/start-session.ts";
import type { FixedSettings } from "./site-fields.tsx";

/** What the endpoints and the pages of accounts, and of the settings of the site, are made of. */
export interface AccountParts extends SessionDependencies {
  readonly pages: Pages;
  /** How long a token from `POST /api/token/` lives, in milliseconds. */
  readonly tokenTtl: number;
  /** Choices that settings of the environment fix. */
  readonly fixed: FixedSettings;
  readonly pictures: SitePictures;
  /** Called in the transaction that changes or removes the displayed name of an account. */
  readonly onNamed: (sql: Sql, accountId: number) => Promise<void>;
  /** What the menu can lead to on this site. */
  readonly menuTargets: (read: Sql) => Promise<readonly SiteLink[]>;
  /** Whether the server can fetch the pages of links, to keep copies of them. */
  readonly fetchesCopies: boolean;
  /** Whether the library is readable without an account. */
  readonly hasOpenLibrary: () => Promise<boolean>;
}
