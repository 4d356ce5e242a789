import type { Scope } from "../../accounts/scope.ts";
import { Refusal } from "../../errors.ts";
import type { Access, AccessPolicy } from "../../http/access.ts";
import type { Site } from "../../web/site/site-store.ts";

/** Who may comment: COMMENTS, or else the site's settings. */
export type CommentSetting = "accounts" | "moderated" | "open" | "off";

/** Who may comment, and how. */
export interface CommentPolicy {
  readonly access: Access | AccessPolicy;
  /** The current setting. */
  readonly setting: () => Promise<CommentSetting>;
}

const scope = "posts:write" satisfies Scope;

/**
 * The policy of the setting COMMENTS; undefined if it is `off`.
 * @param isPrivate whether the posts are for accounts only
 */
export function commentPolicy(setting: CommentSetting, isPrivate: boolean): CommentPolicy | undefined {
  if (setting === "off") return undefined;
  return { access: accessFor(setting, isPrivate), setting: async () => setting };
}

/** The policy that the owner chose for the site, used if COMMENTS is not set; by default, `accounts`. */
export function currentCommentPolicy(site: Site, isPrivate: boolean): CommentPolicy {
  const setting = async (): Promise<CommentSetting> => (await site.settings()).comments;
  return {
    access: {
      async current() {
        const current = await setting();
        if (current === "off") throw new Refusal("forbidden", "Comments are closed.");
        return accessFor(current, isPrivate);
      },
      documented: accessFor("accounts", isPrivate),
    },
    setting,
  };
}

function accessFor(setting: CommentSetting, isPrivate: boolean): Access {
  return { scope, anonymous: setting !== "accounts" && !isPrivate };
}
