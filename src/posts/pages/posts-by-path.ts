import type { Database } from "../../database/database.ts";
import { findRedirect } from "../publication/redirects.ts";
import { isSlug } from "../publication/slug.ts";
import { findFormerSlug } from "../publication/slug-store.ts";
import { findBySlug, findSitePost, type SitePost } from "../site-posts.ts";
import { nothingAtPath } from "./refusals.ts";

/** Finds published posts by their present and former paths. */
export class PostsByPath {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * A post by its slug, a former slug, its id, or its path on another site.
   * @throws Refusal `not_found`
   */
  async find(slug: string, path = `/posts/${slug}`): Promise<SitePost> {
    const found = /^\d{1,15}$/.test(slug)
      ? await findSitePost(this.#database.read, Number(slug))
      : await this.bySlug(slug);
    const post = found ?? (await this.byFormerPath(path));
    if (post === undefined) throw nothingAtPath();
    return post;
  }

  /** A post or a static page by its slug or a former slug. */
  async bySlug(slug: string): Promise<SitePost | undefined> {
    if (!isSlug(slug)) return undefined;
    const found = await findBySlug(this.#database.read, slug);
    if (found !== undefined) return found;
    const id = await findFormerSlug(this.#database.read, slug);
    return id === undefined ? undefined : findSitePost(this.#database.read, id);
  }

  /** The published post that had a path on another site. */
  async byFormerPath(path: string): Promise<SitePost | undefined> {
    const id = await findRedirect(this.#database.read, path);
    if (id === undefined) return undefined;
    return findSitePost(this.#database.read, id);
  }
}
