import { readFile } from "node:fs/promises";
import { StaticContent } from "../../http/caching/static-content.ts";
import appleTouchIcon from "../public/icons/apple-touch-icon.png" with { type: "file" };
import favicon from "../public/icons/favicon.ico" with { type: "file" };
import icon192 from "../public/icons/icon-192.png" with { type: "file" };
import icon512 from "../public/icons/icon-512.png" with { type: "file" };
import maskableIcon from "../public/icons/icon-maskable.png" with { type: "file" };
import type { IconName } from "./site-pictures.ts";

/** The icons that `npm run icons` has drawn, by the names of their paths. */
export const siteIcons: Readonly<Record<IconName, StaticContent>> = {
  "icon-192.png": file(icon192, "image/png"),
  "icon-512.png": file(icon512, "image/png"),
  "icon-maskable.png": file(maskableIcon, "image/png"),
  "apple-touch-icon.png": file(appleTouchIcon, "image/png"),
  "favicon.ico": file(favicon, "image/vnd.microsoft.icon"),
};

/** Those of the manifest. */
export const MANIFEST_ICONS = [
  { src: "/icon.svg", type: "image/svg+xml", sizes: "any", purpose: "any" },
  { src: "/icon-192.png", type: "image/png", sizes: "192x192", purpose: "any" },
  { src: "/icon-512.png", type: "image/png", sizes: "512x512", purpose: "any" },
  { src: "/icon-maskable.png", type: "image/png", sizes: "512x512", purpose: "maskable" },
] as const;

/** @param path on disk, or inside a one-file executable, as the runtime resolves the import */
function file(path: string, contentType: string): StaticContent {
  return new StaticContent({ load: () => readFile(path), contentType });
}
