import type { ImageSize, RenderedPost } from "./rendered-post.ts";
import type { Renderer } from "./renderer.ts";

/** The maximum number of characters of HTML in the cache. */
const CAPACITY = 12 * 1024 * 1024;

/** Looks up the sizes of the uploaded images in a text, by path. */
export type FindImageSizes = (text: string) => Promise<ReadonlyMap<string, ImageSize>>;

interface Cached {
  readonly rendered: Promise<RenderedPost>;
  /** In UTF-16 units; 0 until it is rendered. */
  size: number;
}

/**
 * A cache of rendered posts. The key is the text itself, so entries are never stale. It is in memory only: after a
 * start, a post is rendered when it is first read.
 */
export class RenderedPosts {
  readonly #renderer: Pick<Renderer, "render">;
  readonly #findSizes: FindImageSizes;
  readonly #capacity: number;
  /** In the order of last use, oldest first. */
  readonly #cached = new Map<string, Cached>();
  #size = 0;

  constructor(renderer: Pick<Renderer, "render">, findSizes: FindImageSizes, capacity = CAPACITY) {
    this.#renderer = renderer;
    this.#findSizes = findSizes;
    this.#capacity = capacity;
  }

  /** @param content Markdown */
  async render(content: string): Promise<RenderedPost> {
    const sizes = await this.#findSizes(content);
    const key = keyOf(content, sizes);
    const known = this.#cached.get(key);
    if (known !== undefined) {
      this.#cached.delete(key);
      this.#cached.set(key, known);
      return known.rendered;
    }
    const cached: Cached = { rendered: this.#renderer.render(content, sizes), size: 0 };
    this.#cached.set(key, cached);
    const rendered = await cached.rendered;
    cached.size = rendered.html.length + rendered.excerpt.length + key.length;
    this.#size += cached.size;
    this.#makeRoom();
    return rendered;
  }

  #makeRoom(): void {
    for (const [key, { size }] of this.#cached) {
      if (this.#size <= this.#capacity) return;
      if (size === 0) continue;
      this.#cached.delete(key);
      this.#size -= size;
    }
  }
}

function keyOf(content: string, sizes: ReadonlyMap<string, ImageSize>): string {
  const hash = new Bun.CryptoHasher("sha256").update(content);
  return `${hash.digest("base64")} ${[...sizes.keys()].join(" ")}`;
}
