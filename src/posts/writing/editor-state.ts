import type { Database, Sql } from "../../database/database.ts";
import type { ObjectStore } from "../../media/object-store.ts";
import type { Pages } from "../../web/page.tsx";
import type { SafeUrl } from "../../web/urls.ts";
import type { Edit } from "../editing/edit.ts";
import { editEtag, findEdit, findEditOf } from "../editing/edit-store.ts";
import { countVersions } from "../editing/post-versions.ts";
import { previewedUntil } from "../editing/preview-links.ts";
import { postUrl } from "../pages/site-links.ts";
import { findPostOrDraft } from "../post-store.ts";
import { isInMenu } from "../publication/menu-entry.ts";

/** The dependencies of the editor's pages. */
export interface EditorDependencies {
  readonly pages: Pages;
  readonly database: Database;
  /** The store of images beside the database. */
  readonly objects: ObjectStore | undefined;
}

/** The state of the editor besides its form. */
export interface EditorState {
  readonly key: string;
  /** The tag of the stored working copy; undefined while nothing is stored. */
  readonly etag: string | undefined;
  readonly savedAt: Date | undefined;
  readonly status: "new" | "draft" | "scheduled" | "published";
  /** When a scheduled post is published. */
  readonly scheduledFor: Date | undefined;
  /** Where the published post is. */
  readonly url: SafeUrl | undefined;
  /** Whether the menu of the site leads to it. */
  readonly isInMenu: boolean;
  readonly versions: number;
  /** A new link to the draft, shown once. */
  readonly shared?: string | undefined;
  readonly sharedUntil?: Date | undefined;
  /** Another draft of the post, such as one that was begun in another tab. */
  readonly other: Pick<Edit, "key" | "updatedAt"> | undefined;
  /** Whether bookmarks can be cited. */
  readonly mayCite: boolean;
}

/** The state of the editor for a working copy and its post. @param shared a new link to the draft, shown once */
export async function readEditorState(
  { database, pages }: EditorDependencies,
  read: Sql,
  key: string,
  postId: number | null,
  shared: string | undefined,
): Promise<EditorState> {
  const edit = await findEdit(read, key);
  const post = postId === null ? undefined : await findPostOrDraft(read, postId);
  const scheduledFor = post?.publishAt ?? undefined;
  return {
    key,
    scheduledFor,
    etag: edit && editEtag(database.epoch, edit),
    savedAt: edit?.updatedAt,
    status:
      post === undefined
        ? "new"
        : post.published
          ? "published"
          : scheduledFor === undefined
            ? "draft"
            : "scheduled",
    isInMenu: post?.published === true && (await isInMenu(read, post)),
    url: post?.published ? postUrl(post) : undefined,
    versions: post === undefined ? 0 : await countVersions(read, post.id),
    shared,
    other: post && (await findEditOf(read, post.id, key)),
    mayCite: pages.hasPage("/library/cite"),
    sharedUntil: await previewedUntil(read, key, database.clock.now()),
  };
}
