import { accessOf } from "../accounts/scope.ts";
import { currentChoice, type ServiceAccess, siteBookmarksAccess } from "../accounts/service-access.ts";
import type { SessionLimits } from "../accounts/sign-in/session.ts";
import type { FixedSettings } from "../accounts/site-fields.tsx";
import type { Config } from "../config/config.ts";
import { isLoopback } from "../http/guards/hosts.ts";
import { RateLimits } from "../http/guards/rate-limits.ts";
import { type CommentPolicy, commentPolicy, currentCommentPolicy } from "../posts/comments/comment-access.ts";
import type { Site } from "../web/site/site-store.ts";

/** Who may use the bookmarks: as BOOKMARKS_ACCESS says, or as the owner has chosen. */
export function bookmarksAccessOf(config: Config, site: Site): ServiceAccess {
  const { bookmarksAccess } = config;
  if (bookmarksAccess === "auto") return siteBookmarksAccess(site, isUnpublished(config));
  return accessOf(bookmarksAccess, "bookmarks");
}

/**
 * Whether a server is for its machine alone: it listens on loopback, and no setting names the address, the proxy or a host by
 * which others reach it.
 */
export function isUnpublished({
  host,
  publicUrl,
  trustedProxies,
  allowedHosts,
}: Pick<Config, "host" | "publicUrl" | "trustedProxies" | "allowedHosts">): boolean {
  return (
    isLoopback(host) && publicUrl === undefined && trustedProxies.length === 0 && allowedHosts.length === 0
  );
}

/** Whether anonymous readers may see the library now. */
export async function isOpenLibrary(config: Config, site: Site): Promise<boolean> {
  const { services, bookmarksAccess } = config;
  if (!services.includes("bookmarks")) return false;
  if (bookmarksAccess !== "auto") return bookmarksAccess !== "private";
  const { setting } = await currentChoice(site, isUnpublished(config));
  return setting !== "private";
}

/** Who may comment: as COMMENTS says, or as the owner has chosen; undefined when nobody may. */
export function commentPolicyOf(
  { postsAccess, comments, given }: Config,
  site: Site,
): CommentPolicy | undefined {
  const isPrivate = postsAccess === "private";
  return given.has("comments") ? commentPolicy(comments, isPrivate) : currentCommentPolicy(site, isPrivate);
}

/** The choices of the owner that the server's settings fix. */
export function fixedSettings({ bookmarksAccess, comments, given }: Config): FixedSettings {
  return {
    bookmarksAccess: bookmarksAccess === "auto" ? undefined : bookmarksAccess,
    comments: given.has("comments") ? comments : undefined,
  };
}

/** How long sessions last. */
export function sessionLimits({ sessionIdle, sessionMax }: Config): SessionLimits {
  return { idle: sessionIdle, max: sessionMax };
}

/** The limit of requests by client address; undefined when none is set. */
export function rateLimits({ rateLimit }: Config): RateLimits | undefined {
  return rateLimit && new RateLimits(rateLimit);
}
