import { StaticContent } from "../../http/caching/static-content.ts";
import { local, type SafeUrl } from "../urls.ts";
import type { SiteSettings } from "./site-settings.ts";

/** An uploaded picture. */
export interface SitePicture {
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

/** The uploaded pictures, of which the site has one as its icon and one as the cover of posts. */
export interface SitePictures {
  /** Stores a picture. @throws Refusal when it is none */
  store(bytes: Uint8Array, accountId: number | undefined): Promise<SitePicture>;
  find(path: string): Promise<SitePicture | undefined>;
  /** A square picture as PNG of this width; undefined when it is gone. */
  png(path: string, width: number): Promise<Uint8Array | undefined>;
}

/** Whether a picture can be an icon. */
export function isSquare({ width, height }: Pick<SitePicture, "width" | "height">): boolean {
  return Math.abs(width - height) <= Math.max(width, height) / 50;
}

/** The width of `/favicon.ico`, which stands beside the name of the site, too. */
const FAVICON = 64;

/** The widths of the icons, by the names of their paths. */
const WIDTHS = {
  "icon-192.png": 192,
  "icon-512.png": 512,
  "icon-maskable.png": 512,
  "apple-touch-icon.png": 180,
  "favicon.ico": FAVICON,
} as const;

export type IconName = keyof typeof WIDTHS;

/** The address of an icon of the owner's own picture, which changes with the picture; undefined when there is none. */
export function ownIconUrl({ icon }: Pick<SiteSettings, "icon">, name: IconName): SafeUrl | undefined {
  return icon === ""
    ? undefined
    : local(`/${name}`, { v: icon.slice("/media/".length, "/media/".length + 8) });
}

/** The icons of a manifest that are the owner's own picture; undefined when there is none. */
export function ownManifestIcons(site: Pick<SiteSettings, "icon">) {
  if (site.icon === "") return undefined;
  return (["icon-192.png", "icon-512.png"] as const).map((name) => ({
    ...{ src: ownIconUrl(site, name), type: "image/png", purpose: "any" },
    sizes: `${WIDTHS[name]}x${WIDTHS[name]}`,
  }));
}

/** How many of the encoded icons stay in memory: those of the present picture, and of one before. */
const KEPT = 2 * Object.keys(WIDTHS).length;

/** The icons of the owner's own picture, encoded when they are first requested. */
export class OwnIcons {
  readonly #pictures: SitePictures;
  readonly #encoded = new Map<string, StaticContent>();

  constructor(pictures: SitePictures) {
    this.#pictures = pictures;
  }

  /** @returns undefined when the site has no picture of its own, or it is gone */
  async find({ icon }: Pick<SiteSettings, "icon">, name: IconName): Promise<StaticContent | undefined> {
    if (icon === "") return undefined;
    const key = `${icon} ${WIDTHS[name]}`;
    const there = this.#encoded.get(key);
    if (there !== undefined) return there;
    const bytes = await this.#pictures.png(icon, WIDTHS[name]);
    if (bytes === undefined) return undefined;
    const content = new StaticContent({
      load: () => bytes,
      contentType: "image/png",
      headers: { "cross-origin-resource-policy": "cross-origin" },
    });
    if (this.#encoded.size >= KEPT) this.#encoded.clear();
    this.#encoded.set(key, content);
    return content;
  }
}
