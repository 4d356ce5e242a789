import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import { contentTag, isNotModified } from "../../http/caching/etags.ts";
import { StaticContent } from "../../http/caching/static-content.ts";
import type { Routes } from "../../http/endpoint.ts";
import { notModified, type ResponseData } from "../../http/response-data.ts";
import { findAsset } from "../assets.ts";
import { CustomCssFile } from "../custom-css/custom-css.ts";
import { findLookSheet } from "../look/look-sheet.ts";
import type { PageCall, Pages } from "../page.tsx";
import iconSvg from "../public/icon.svg" with { type: "text" };
import appleTouchIcon from "../public/icons/apple-touch-icon.png" with { type: "file" };
import favicon from "../public/icons/favicon.ico" with { type: "file" };
import icon192 from "../public/icons/icon-192.png" with { type: "file" };
import icon512 from "../public/icons/icon-512.png" with { type: "file" };
import maskableIcon from "../public/icons/icon-maskable.png" with { type: "file" };
import { type IconName, OwnIcons, ownIconUrl, ownManifestIcons, type SitePictures } from "./site-pictures.ts";

const ICON_TYPE = "image/svg+xml";

interface SiteFileDependencies {
  readonly pages: Pages;
  readonly database: Database;
  readonly pictures: SitePictures;
  /** Whether anyone may read the posts. */
  readonly isPublic: boolean;
}

/** Files that pages, browsers and search engines request. */
export function siteFilePages({ pages, database, pictures, isPublic }: SiteFileDependencies): Routes {
  const ownIcons = new OwnIcons(pictures);
  const customCssFile = new CustomCssFile(database);
  const anyone = { skipsAuthentication: true };
  const iconContent = new StaticContent({
    load: () => Buffer.from(iconSvg),
    contentType: ICON_TYPE,
    // Ghost's Content API names it: websites made of the posts show it.
    headers: { "cross-origin-resource-policy": "cross-origin" },
  });

  const asset = pages.page(
    { ...anyone, params: z.object({ hash: z.string(), name: z.string() }) },
    async ({ request, params }): Promise<ResponseData> => {
      const { name, hash } = params;
      const found =
        name === "theme.css"
          ? await customCssFile.find(hash)
          : (findAsset(name, hash) ?? findLookSheet(name, hash));
      if (found === undefined) throw new Refusal("not_found", "Nothing exists at this path.");
      const response = await found.content.answer(request);
      return found.isExact ? { ...response, caching: "immutable" } : response;
    },
  );

  const icon = pages.page(anyone, ({ request, site }) => {
    const own = ownIconUrl(site, "icon-512.png");
    return own === undefined ? iconContent.answer(request) : { status: 302, body: null, location: own };
  });

  const drawn = (name: IconName) =>
    pages.page(anyone, async ({ request, site }) =>
      ((await ownIcons.find(site, name)) ?? siteIcons[name]).answer(request),
    );

  const manifest = pages.page(anyone, (call) =>
    textResponse(call, "application/manifest+json", JSON.stringify(manifestOf(call, pages))),
  );

  const robots = pages.page(anyone, (call) =>
    textResponse(call, "text/plain; charset=utf-8", robotsText(call.client.origin, isPublic, pages)),
  );

  const changePassword = pages.page(anyone, () => ({ status: 302, body: null, location: "/account" }));

  return {
    "/assets/{hash}/{name}": { GET: asset },
    "/icon.svg": { GET: icon },
    "/favicon.ico": { GET: drawn("favicon.ico") },
    "/icon-192.png": { GET: drawn("icon-192.png") },
    "/icon-512.png": { GET: drawn("icon-512.png") },
    "/icon-maskable.png": { GET: drawn("icon-maskable.png") },
    "/apple-touch-icon.png": { GET: drawn("apple-touch-icon.png") },
    "/manifest.webmanifest": { GET: manifest },
    "/robots.txt": { GET: robots },
    "/.well-known/change-password": { GET: changePassword },
  };
}

/** https://www.w3.org/TR/appmanifest/, and the share target of its Web Share Target. */
function manifestOf({ site, messages }: Pick<PageCall, "site" | "messages">, pages: Pages) {
  const hasLibrary = pages.hasPage("/library");
  return {
    id: "/",
    name: site.name,
    lang: messages.language,
    start_url: hasLibrary ? "/library" : "/",
    display: "standalone",
    background_color: "#fdfdfb",
    theme_color: "#fdfdfb",
    icons: ownManifestIcons(site) ?? MANIFEST_ICONS,
    ...(hasLibrary && {
      share_target: {
        action: "/library/new",
        method: "GET",
        enctype: "application/x-www-form-urlencoded",
        params: { title: "title", text: "text", url: "url" },
      },
      shortcuts: [{ name: messages.navigation.add, url: "/library/new" }],
    }),
  };
}

/**
 * RFC 9309. Search engines are kept out of pages that need an account, and of the whole site while the posts are
 * private.
 */
function robotsText(origin: string, isPublic: boolean, pages: Pages): string {
  const closed = isPublic ? ["/library", "/sign-in", "/welcome/", "/preview/"] : ["/"];
  const lines = ["User-agent: *", ...closed.map((path) => `Disallow: ${path}`)];
  if (isPublic && pages.hasPage("/sitemap.xml")) lines.push(`Sitemap: ${origin}/sitemap.xml`);
  return `${lines.join("\n")}\n`;
}

function textResponse(
  { request }: Pick<PageCall, "request">,
  contentType: string,
  body: string,
): ResponseData {
  const etag = contentTag("", body);
  if (isNotModified(request, etag)) return notModified(etag, "public", contentType);
  return { status: 200, body, contentType, etag, caching: "public" };
}

/** The icons that `npm run icons` has drawn, by the names of their paths. */
const siteIcons: Readonly<Record<IconName, StaticContent>> = {
  "icon-192.png": file(icon192, "image/png"),
  "icon-512.png": file(icon512, "image/png"),
  "icon-maskable.png": file(maskableIcon, "image/png"),
  "apple-touch-icon.png": file(appleTouchIcon, "image/png"),
  "favicon.ico": file(favicon, "image/vnd.microsoft.icon"),
};

/** Those of the manifest. */
const MANIFEST_ICONS = [
  { src: "/icon.svg", type: "image/svg+xml", sizes: "any", purpose: "any" },
  { src: "/icon-192.png", type: "image/png", sizes: "192x192", purpose: "any" },
  { src: "/icon-512.png", type: "image/png", sizes: "512x512", purpose: "any" },
  { src: "/icon-maskable.png", type: "image/png", sizes: "512x512", purpose: "maskable" },
] as const;

/** @param path on disk, or inside a one-file executable, as the runtime resolves the import */
function file(path: string, contentType: string): StaticContent {
  return new StaticContent({ load: () => readFile(path), contentType });
}
