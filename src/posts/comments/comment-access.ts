import type { Scope } from "../../accounts/scope.ts";
import { type Awaitable, thenSync } from "../../awaitable.ts";
import { Refusal } from "../../errors.ts";
import type { Access, AccessPolicy } from "../../http/access.ts";
import type { Site } from "../../web/site/site.ts";

/** Who may comment: COMMENTS, or else the site's settings. */
export type CommentSetting = "accounts" | "moderated" | "open" | "off";

/** Who may comment, and how. */
export interface Commenting {
  readonly access: Access | AccessPolicy;
  /** What holds now. */
  readonly setting: () => Awaitable<CommentSetting>;
}

const scope = "posts:write" satisfies Scope;

/**
 * As COMMENTS says; undefined when nobody may comment.
 * @param isPrivate whether the posts are for accounts only
 */
export function commenting(setting: CommentSetting, isPrivate: boolean): Commenting | undefined {
  if (setting === "off") return undefined;
  return { access: accessFor(setting, isPrivate), setting: () => setting };
}

/** As the owner has chosen for the site, while COMMENTS says nothing: accounts before that. */
export function chosenCommenting(site: Site, isPrivate: boolean): Commenting {
  const setting = () => thenSync(site.settings(), ({ comments }): CommentSetting => comments ?? "accounts");
  return {
    access: {
      current: () =>
        thenSync(setting(), (current) => {
          if (current === "off") throw new Refusal("forbidden", "Comments are closed.");
          return accessFor(current, isPrivate);
        }),
      documented: accessFor("accounts", isPrivate),
    },
    setting,
  };
}

function accessFor(setting: CommentSetting, isPrivate: boolean): Access {
  return { scope, anonymous: setting !== "accounts" && !isPrivate };
}
