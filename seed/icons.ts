/**
 * `npm run icons`: draws the icons of the web app from src/web/public/icon.svg, for browsers and phones that take no
 * SVG, into src/web/public/icons.
 */
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { launchBrowser } from "../test/support/pages/browser.ts";

const PUBLIC = resolve(import.meta.dir, "../src/web/public");
const FOLDER = resolve(PUBLIC, "icons");
const PAPER = "#fdfdfb";

/** Full ones have no rounded corners: phones cut them to their own shape, and keep the middle four fifths. */
const ICONS = [
  { name: "icon-192.png", size: 192, drawn: 1, isFull: false },
  { name: "icon-512.png", size: 512, drawn: 1, isFull: false },
  { name: "icon-maskable.png", size: 512, drawn: 0.8, isFull: true },
  { name: "apple-touch-icon.png", size: 180, drawn: 0.9, isFull: true },
  { name: "favicon.ico", size: 32, drawn: 1, isFull: false },
] as const;

const svg = await Bun.file(resolve(PUBLIC, "icon.svg")).text();
/** Without the rounded sheet and its edge. */
const signs = svg.replace(/^.*<rect.*$\n/gm, "").replace("M22 0v64", "M22 -16v96");
const browser = await launchBrowser();
try {
  await mkdir(FOLDER, { recursive: true });
  for (const { name, size, drawn, isFull } of ICONS) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    const side = Math.round(size * drawn);
    await page.setContent(
      `<body style="margin:0;display:grid;place-items:center;block-size:${size}px;overflow:hidden;
        background:${isFull ? PAPER : "transparent"}">
        ${(isFull ? signs : svg).replace("<svg", `<svg style="overflow:visible" width="${side}" height="${side}"`)}`,
    );
    const png = await page.screenshot({ omitBackground: !isFull });
    await Bun.write(resolve(FOLDER, name), name.endsWith(".ico") ? icoOf(png, size) : png);
    await page.close();
  }
} finally {
  await browser.close();
}

/** A Windows icon of one picture, which may be a PNG: a header and one entry of its directory. */
function icoOf(png: Uint8Array, size: number): Uint8Array {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}
