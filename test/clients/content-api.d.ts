/** As much of the client, which comes without types, as the tests use. */
declare module "@tryghost/content-api" {
  interface Tag {
    readonly name: string;
    readonly slug: string;
    readonly count?: { readonly posts: number };
  }
  type Author = Tag;
  interface Post {
    readonly id: string;
    readonly title: string;
    readonly slug: string;
    readonly url: string;
    readonly html?: string;
    readonly tags?: readonly Tag[];
    readonly primary_tag?: Tag | null;
    readonly authors?: readonly Author[];
    readonly primary_author?: Author | null;
  }
  type List<T> = T[] & { readonly meta: { readonly pagination: Record<string, number | null> } };
  interface Resource<T> {
    browse(options?: Readonly<Record<string, unknown>>): Promise<List<T>>;
    read(data: { id: string } | { slug: string }, options?: Readonly<Record<string, unknown>>): Promise<T>;
  }
  interface Api {
    readonly posts: Resource<Post>;
    readonly pages: Resource<Post>;
    readonly tags: Resource<Tag>;
    readonly authors: Resource<Author>;
    readonly tiers: Resource<unknown>;
    readonly settings: { browse(): Promise<Record<string, unknown>> };
  }
  interface Options {
    readonly url: string;
    readonly key: string;
    readonly version: string;
  }
  const GhostContentAPI: { new (options: Options): Api; (options: Options): Api };
  export default GhostContentAPI;
}
