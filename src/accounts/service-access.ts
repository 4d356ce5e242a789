import { thenSync } from "../awaitable.ts";
import { Refusal } from "../errors.ts";
import { type Access, type AccessPolicy, currentAccess } from "../http/access.ts";
import { requestHost } from "../http/client/client.ts";
import { hostName, isLoopback } from "../http/guards/hosts.ts";
import type { SiteSettings } from "../web/site/site-settings.ts";
import type { Site } from "../web/site/site-store.ts";
import { accessOf } from "./scope.ts";

/** Who may read and who may write a service. */
export interface ServiceAccess {
  readonly readAccess: Access | AccessPolicy;
  readonly writeAccess: Access | AccessPolicy;
}

/**
 * Who may use the bookmarks without a setting: as the owner has chosen for the site, private from the first account
 * on; before that, anyone on this machine, and nobody from elsewhere.
 *
 * @param unpublished whether the server is for this machine alone: it listens on loopback, and no setting names a proxy or a host
 */
export function siteBookmarksAccess(site: Site, unpublished: boolean): ServiceAccess {
  return { readAccess: policy("readAccess"), writeAccess: policy("writeAccess") };

  function policy(kind: "readAccess" | "writeAccess"): AccessPolicy {
    const { scope } = accessOf("private", "bookmarks")[kind];
    return {
      current: ({ request, stamp }) =>
        thenSync(site.settings(stamp), (settings) => {
          const { setting, isDefault } = choiceOf(settings, () => unpublished && isToLoopback(request));
          if (isDefault && setting === "open" && wasForwarded(request)) throw forwarded();
          return CHOICES[setting][kind];
        }),
      documented: { ...(scope !== undefined && { scope }), anonymous: false },
    };
  }
}

/**
 * Who may use what is for accounts alone although others may be open. Where nobody has had an account, and the server is for this
 * machine alone, there is nobody else: there it is as open as these.
 *
 * @param unpublished as above
 */
export function ownersAccess(open: ServiceAccess, site: Site, unpublished: boolean): ServiceAccess {
  return { readAccess: policy("readAccess"), writeAccess: policy("writeAccess") };

  function policy(kind: "readAccess" | "writeAccess"): AccessPolicy {
    const { [kind]: owners } = accessOf("private", "bookmarks");
    return {
      current: (asked) =>
        unpublished && isToLoopback(asked.request) && !wasForwarded(asked.request)
          ? thenSync(site.settings(asked.stamp), ({ hadAccount }) =>
              hadAccount ? owners : currentAccess(open[kind], asked),
            )
          : owners,
      documented: owners,
    };
  }
}

/** Whether a request names a host of this machine. */
function isToLoopback(request: Request): boolean {
  return isLoopback(hostName(requestHost(request) ?? "") ?? "");
}

const CHOICES = {
  open: accessOf("open", "bookmarks"),
  read: accessOf("read", "bookmarks"),
  private: accessOf("private", "bookmarks"),
};

/** Who may use the bookmarks, and whether that is only the default. */
interface Choice {
  readonly setting: keyof typeof CHOICES;
  readonly isDefault: boolean;
}

/** The current access, and whether it is only the default. @param unpublished as above */
export async function currentChoice(site: Site, unpublished: boolean): Promise<Choice> {
  return choiceOf(await site.settings(), () => unpublished);
}

function choiceOf({ bookmarksAccess, hadAccount }: SiteSettings, isLocal: () => boolean): Choice {
  return {
    setting: bookmarksAccess ?? (!hadAccount && isLocal() ? "open" : "private"),
    isDefault: bookmarksAccess === undefined,
  };
}

/** Headers that proxies add: the request came from another machine. */
const FORWARDING = ["x-forwarded-for", "x-real-ip", "forwarded", "via"];

/** Whether a request has a proxy's headers. */
export function wasForwarded({ headers }: Request): boolean {
  return FORWARDING.some((name) => headers.has(name));
}

/** A hint for operators whose proxy is there before the first account; not every proxy adds such a header. */
function forwarded(): Refusal {
  return new Refusal(
    "forbidden",
    "Without an account, the bookmarks are open to this machine only, and this request came through a proxy. " +
      "Create the first account: open the link that “commonplace welcome” prints. Or set BOOKMARKS_ACCESS.",
  );
}
