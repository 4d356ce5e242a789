import type { accountApi } from "../accounts/account-api.ts";
import type { ownAccountApi } from "../accounts/own-account/own-account-api.ts";
import type { siteApi } from "../accounts/site-api.ts";
import type { tokenApi } from "../accounts/tokens/token-api.ts";
import type { Routes } from "../http/endpoint.ts";

/** The endpoints of accounts. */
export interface AccountApis {
  readonly accounts: ReturnType<typeof accountApi>;
  readonly tokens: ReturnType<typeof tokenApi>;
  readonly ownAccount: ReturnType<typeof ownAccountApi>;
  readonly siteSettings: ReturnType<typeof siteApi>;
}

/** Tokens, sessions, the caller's account, and the settings of the site. */
export function accountRoutes({ accounts, tokens, ownAccount, siteSettings }: AccountApis): Routes {
  return {
    "/api/token/": { POST: accounts.createToken, DELETE: accounts.revokeToken },
    "/api/tokens/": { GET: tokens.list, POST: tokens.create },
    "/api/tokens/{id}/": { GET: tokens.read, DELETE: tokens.remove },
    "/api/sessions/": { GET: ownAccount.listSessions },
    "/api/sessions/{id}/": { DELETE: ownAccount.endSession },
    "/api/account/password/": { PUT: ownAccount.changePassword },
    "/api/site/": { GET: siteSettings.read, PATCH: siteSettings.patch },
    "/api/session/": {
      GET: accounts.readSession,
      POST: accounts.createSession,
      DELETE: accounts.deleteSession,
    },
  };
}
