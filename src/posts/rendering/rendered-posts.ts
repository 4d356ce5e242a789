import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Database, Sql } from "../../database/database.ts";
import { WaitOutside } from "../../database/read-together.ts";
import type { Rows } from "../../database/schema/rows.ts";
import { Refusal } from "../../errors.ts";
import { timeLimit } from "../../time-limit.ts";
import type { SitePost } from "../site-posts.ts";
import { type ImageSize, plainPost, RENDERER_VERSION, type RenderedPost } from "./rendered-post.ts";
import type { Renderer } from "./renderer.ts";

/** How long a reader waits for a rendering, in milliseconds. */
const PATIENCE = 2_000;
/** How many texts may wait for their rendering; others are shown as they are, and asked for again by a later reader. */
const WAITING_MAX = 100;
/** A longer text has a turn of the event loop of its own, so that others are answered between many of them; in characters. */
const LONG = 64 * 1024;
/** How many texts that take too long to render are remembered. */
const GIVEN_UP_MAX = 1_000;

/** Looks up the sizes of the uploaded images in a text, by path. */
export type FindImageSizes = (text: string) => Promise<ReadonlyMap<string, ImageSize>>;

/** A rendering that has not ended, or whose result is not stored yet. */
interface Waiting {
  readonly rendering: Promise<RenderedPost>;
  /** Settles when the result is stored, or when nobody waits longer. */
  readonly settled: Promise<unknown>;
  /** Whether its readers no longer wait. */
  isLate: boolean;
}

interface RenderedPostsOptions {
  /** Ends when a reader no longer waits for a rendering. */
  readonly patience?: () => Promise<undefined>;
  /** Called with an unexpected error of storing. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * The texts of posts as HTML. A published text is rendered when it is first read, and stored under a digest of itself,
 * so that the stored HTML is never that of another text. Where nothing can be written, the last ones are kept in memory. When rendering takes too long, since many texts wait or this one is long, the text is
 * shown as it is until it is rendered.
 */
export class RenderedPosts {
  readonly #database: Pick<Database, "read" | "write">;
  readonly #renderer: Pick<Renderer, "render">;
  readonly #findSizes: FindImageSizes;
  readonly #patience: () => Promise<undefined>;
  readonly #onFailure: (error: unknown) => void;
  /** Oldest first, by the digest of their text. */
  readonly #waiting = new Map<string, Waiting>();
  /** The last results that could not be stored, by the digest of their text. */
  readonly #unstored = new Map<string, RenderedPost>();
  /** Digests of texts that take too long to render. Until the next start, they are not tried again. */
  readonly #givenUp = new Set<string>();
  /** Ends when the last long text has its turn. */
  #lastTurn: Promise<void> = Promise.resolve();
  #late = 0;
  #caughtUp = 0;

  constructor(
    database: Pick<Database, "read" | "write">,
    renderer: Pick<Renderer, "render">,
    findSizes: FindImageSizes,
    {
      patience = () => sleep(timeLimit(PATIENCE), undefined, { ref: false }),
      onFailure = () => {},
    }: RenderedPostsOptions = {},
  ) {
    this.#database = database;
    this.#renderer = renderer;
    this.#findSizes = findSizes;
    this.#patience = patience;
    this.#onFailure = onFailure;
  }

  /** Whether a post was shown as it is and will soon be rendered: then pages change by themselves. */
  get isBehind(): boolean {
    return this.#late > 0;
  }

  /** Rises when a post that was shown as it is has been rendered. */
  get caughtUp(): number {
    return this.#caughtUp;
  }

  /**
   * The text of a published post, as its page and feeds show it: with the post's image at the top.
   * @param read what the response is read with
   * @throws WaitOutside when it would wait within a snapshot
   */
  whole(post: Pick<SitePost, "id" | "content" | "image">, read: Sql): Promise<RenderedPost> {
    const text = shownText(post);
    return this.#published(post.id, text, text !== post.content, read);
  }

  /** The text of a published post without the post's image, as lists show it. @throws WaitOutside as `whole` */
  text({ id, content }: Pick<SitePost, "id" | "content">, read: Sql): Promise<RenderedPost> {
    return this.#published(id, content, false, read);
  }

  /** The sizes of uploaded images, by path. @param paths others are left out */
  sizesOf(paths: readonly string[]): Promise<ReadonlyMap<string, ImageSize>> {
    return this.#findSizes(paths.join(" "));
  }

  /** A text that is not published, with its image at the top; the result is not stored. */
  async draft(post: Pick<SitePost, "content" | "image">): Promise<RenderedPost> {
    const content = shownText(post);
    await this.#turnOf(content);
    const sizes = await this.#findSizes(content);
    return this.#render(content, sizes, digestOf(content, sizes));
  }

  async #published(post: number, content: string, withImage: boolean, read: Sql): Promise<RenderedPost> {
    await this.#turnOf(content);
    const sizes = await this.#findSizes(content);
    const source = { post, withImage, sha256: digestOf(content, sizes) };
    // It may be stored, and no longer waited for, while the stored one is read.
    const begun = this.#waiting.get(source.sha256);
    const stored = await findRendered(this.#database.read, source);
    return stored ?? this.#render(content, sizes, source.sha256, { source, read, begun });
  }

  #render(
    content: string,
    sizes: ReadonlyMap<string, ImageSize>,
    sha256: string,
    published?: {
      readonly source: RenderedSource;
      readonly read: Sql;
      readonly begun: Waiting | undefined;
    },
  ): Promise<RenderedPost> | RenderedPost {
    if (this.#givenUp.has(sha256)) return plainPost(content);
    const unstored = this.#unstored.get(sha256);
    if (unstored !== undefined) return unstored;
    const known = published?.begun ?? this.#waiting.get(sha256);
    if (known === undefined && this.#waiting.size >= WAITING_MAX)
      return this.#forNow(content, [...this.#waiting.values()].at(-1)?.rendering);
    const waiting = known ?? this.#begin(content, sizes, sha256, published?.source);
    if (!published?.read.mustNotWait?.()) return this.#inTime(content, waiting.rendering);
    if (waiting.isLate) return this.#forNow(content, waiting.rendering);
    // The other texts of the response wait, too.
    throw new WaitOutside(Promise.all(this.#waiting.values().map(({ settled }) => settled)));
  }

  /** @param source where the result is stored; undefined for a draft */
  #begin(
    content: string,
    sizes: ReadonlyMap<string, ImageSize>,
    sha256: string,
    source: RenderedSource | undefined,
  ): Waiting {
    const rendering = this.#renderer.render(content, sizes);
    const stored = rendering
      .then((rendered) => {
        if (rendered.gaveUp) this.#giveUp(sha256);
        else if (source !== undefined) return this.#store(source, rendered);
      })
      .finally(() => this.#waiting.delete(sha256));
    const late = this.#patience().then(() => {
      waiting.isLate = true;
    });
    const waiting: Waiting = { rendering, settled: Promise.race([stored, late]), isLate: false };
    this.#waiting.set(sha256, waiting);
    return waiting;
  }

  /** The rendered text, or the text as it is when the rendering takes too long. */
  async #inTime(content: string, rendering: Promise<RenderedPost>): Promise<RenderedPost> {
    const rendered = await Promise.race([rendering, this.#patience()]);
    await this.#turnOf(content);
    return rendered ?? this.#forNow(content, rendering);
  }

  /** Waits for the turn of a long text. The caller may make a page of it in the same turn. */
  async #turnOf(content: string): Promise<void> {
    if (content.length < LONG) return;
    this.#lastTurn = this.#lastTurn.then(() => setImmediate());
    await this.#lastTurn;
  }

  /** The text as it is. Pages that show it change after a rendering. */
  #forNow(content: string, rendering: Promise<RenderedPost> | undefined): RenderedPost {
    this.#late++;
    rendering?.finally(() => {
      this.#late--;
      this.#caughtUp++;
    });
    return plainPost(content);
  }

  #giveUp(sha256: string): void {
    if (this.#givenUp.size >= GIVEN_UP_MAX) this.#givenUp.clear();
    this.#givenUp.add(sha256);
  }

  async #store(source: RenderedSource, rendered: RenderedPost): Promise<void> {
    try {
      if (await this.#database.write((sql) => storeRendered(sql, source, rendered))) return;
    } catch (error) {
      // A full disk, or a database that takes no writes.
      if (!(error instanceof Refusal)) this.#onFailure(error);
    }
    for (const sha256 of this.#unstored.keys())
      if (this.#unstored.size >= WAITING_MAX) this.#unstored.delete(sha256);
    this.#unstored.set(source.sha256, rendered);
  }
}

function digestOf(content: string, sizes: ReadonlyMap<string, ImageSize>): string {
  const hash = new Bun.CryptoHasher("sha256").update(content);
  for (const [path, { widths }] of sizes) hash.update(`\0${[path, ...widths].join(" ")}`);
  return hash.digest("hex");
}

/** What a stored text was rendered from. It is shown only while all of this is the same. */
interface RenderedSource {
  readonly post: number;
  /** Whether the post's image is at the top of the text. */
  readonly withImage: boolean;
  /** The SHA-256 of the text and its images. */
  readonly sha256: string;
}

type Row = Pick<Rows["rendered_posts"], "html" | "excerpt" | "has_more" | "minutes" | "image">;

/** The stored HTML of a post's text, if this version of the renderer made it from the same text. */
async function findRendered(
  sql: Sql,
  { post, withImage, sha256 }: RenderedSource,
): Promise<RenderedPost | undefined> {
  const [row] = await sql<Row>`
    select html, excerpt, has_more, minutes, image from rendered_posts
    where post_id = ${post} and with_image = ${withImage} and source_sha256 = ${sha256}
      and renderer = ${RENDERER_VERSION}`;
  if (row === undefined) return undefined;
  return {
    html: row.html,
    excerpt: row.excerpt,
    hasMore: Boolean(row.has_more),
    minutes: row.minutes,
    image: row.image ?? undefined,
    gaveUp: false,
  };
}

/** Stores the HTML of a post's text, unless the post is gone or a newer renderer has stored its own. @returns whether it did */
async function storeRendered(
  sql: Sql,
  { post, withImage, sha256 }: RenderedSource,
  { html, excerpt, hasMore, minutes, image }: RenderedPost,
): Promise<boolean> {
  const stored = await sql`
    insert into rendered_posts (
      post_id, with_image, renderer, source_sha256, html, excerpt, has_more, minutes, image)
    select id, ${withImage}, ${RENDERER_VERSION}, ${sha256}, ${html}, ${excerpt}, ${hasMore}, ${minutes},
      ${image ?? null}
    from posts where id = ${post}
    on conflict (post_id, with_image) do update set renderer = excluded.renderer,
      source_sha256 = excluded.source_sha256, html = excluded.html, excerpt = excluded.excerpt,
      has_more = excluded.has_more, minutes = excluded.minutes, image = excluded.image
    where rendered_posts.renderer <= excluded.renderer
    returning post_id`;
  return stored.length > 0;
}

/**
 * A post's Markdown as readers see it: with its image at the top, unless the text has it. An image over http is left out, since
 * pages load none.
 */
function shownText({ content, image }: Pick<SitePost, "content" | "image">): string {
  if (image === null || image.startsWith("http:") || content.includes(image)) return content;
  return `![](<${image}>)\n\n${content}`;
}
