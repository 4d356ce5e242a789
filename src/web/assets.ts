import { createHash } from "node:crypto";
import toolbarJs from "@github/markdown-toolbar-element/dist/index.js" with { type: "text" };
import { StaticContent } from "../http/caching/static-content.ts";
import { compact } from "./compact.ts";
import addFormJs from "./public/add-form.js" with { type: "text" };
import blogCss from "./public/blog.css" with { type: "text" };
import cardsCss from "./public/cards.css" with { type: "text" };
import caretListJs from "./public/caret-list.js" with { type: "text" };
import citeJs from "./public/cite.js" with { type: "text" };
import commonCss from "./public/common.css" with { type: "text" };
import copyJs from "./public/copy.js" with { type: "text" };
import editorCss from "./public/editor.css" with { type: "text" };
import editorJs from "./public/editor.js" with { type: "text" };
import findCss from "./public/find.css" with { type: "text" };
import findJs from "./public/find.js" with { type: "text" };
import gettingInJs from "./public/getting-in.js" with { type: "text" };
import iconsSvg from "./public/icons.svg" with { type: "text" };
import insertJs from "./public/insert.js" with { type: "text" };
import installJs from "./public/install.js" with { type: "text" };
import keptTextsJs from "./public/kept-texts.js" with { type: "text" };
import libraryCss from "./public/library.css" with { type: "text" };
import libraryJs from "./public/library.js" with { type: "text" };
import libraryMoreCss from "./public/library-more.css" with { type: "text" };
import lookPreviewJs from "./public/look-preview.js" with { type: "text" };
import markingJs from "./public/marking.js" with { type: "text" };
import marksJs from "./public/marks.js" with { type: "text" };
import mirrorJs from "./public/mirror.js" with { type: "text" };
import otherPagesJs from "./public/other-pages.js" with { type: "text" };
import pictureMarksJs from "./public/picture-marks.js" with { type: "text" };
import picturesJs from "./public/pictures.js" with { type: "text" };
import readingCss from "./public/reading.css" with { type: "text" };
import readingJs from "./public/reading.js" with { type: "text" };
import runningJobJs from "./public/running-job.js" with { type: "text" };
import selectionJs from "./public/selection.js" with { type: "text" };
import stayJs from "./public/stay.js" with { type: "text" };
import tagFieldJs from "./public/tag-field.js" with { type: "text" };
import unreachedJs from "./public/unreached.js" with { type: "text" };
import writingHelpJs from "./public/writing-help.js" with { type: "text" };
import { local, type SafeUrl } from "./urls.ts";

/** The end of a line that says nothing in a script. */
const LINE_END = /([;{},(])\n/g;

/**
 * The files that pages load. They are imported as text, so that the one-file executable carries them. A new file
 * needs an import, a line here, and for a script one in `public/scripts.d.ts`.
 */
const FILES = {
  "tag-field.js": { text: compactScript(tagFieldJs), contentType: "text/javascript; charset=utf-8" },
  "getting-in.js": {
    text: compactScript(gettingInJs, installJs),
    contentType: "text/javascript; charset=utf-8",
  },
  "cards.css": { text: compact(cardsCss), contentType: "text/css; charset=utf-8" },
  "find.css": { text: compact(findCss), contentType: "text/css; charset=utf-8" },
  "library-more.css": { text: compact(libraryMoreCss), contentType: "text/css; charset=utf-8" },
  "find.js": {
    text: compactScript(unreachedJs, findJs, stayJs),
    contentType: "text/javascript; charset=utf-8",
  },
  "editor.css": { text: compact(editorCss), contentType: "text/css; charset=utf-8" },
  "reading.css": { text: compact(readingCss), contentType: "text/css; charset=utf-8" },
  "reading.js": { text: compactScript(readingJs), contentType: "text/javascript; charset=utf-8" },
  "copy.js": { text: compactScript(copyJs, installJs), contentType: "text/javascript; charset=utf-8" },
  // The editor has a field of tags, too: one request.
  "editor.js": {
    text: compactScript(
      keptTextsJs,
      mirrorJs,
      caretListJs,
      citeJs,
      insertJs,
      pictureMarksJs,
      picturesJs,
      marksJs,
      writingHelpJs,
      editorJs,
      tagFieldJs,
    ),
    contentType: "text/javascript; charset=utf-8",
  },
  "look-preview.js": { text: compactScript(lookPreviewJs), contentType: "text/javascript; charset=utf-8" },
  "kept-texts.js": { text: compactScript(keptTextsJs), contentType: "text/javascript; charset=utf-8" },
  // Without its indentation and most line ends; no text in it goes over several lines.
  "markdown-toolbar.js": {
    text: toolbarJs.replace(/^\s+/gm, "").replace(LINE_END, "$1"),
    contentType: "text/javascript; charset=utf-8",
  },
  // A page loads one of these two: the common rules come with those of its part, in one request.
  "site.css": { text: compact(commonCss + blogCss), contentType: "text/css; charset=utf-8" },
  "library.css": { text: compact(commonCss + libraryCss), contentType: "text/css; charset=utf-8" },
  "library.js": {
    text: compactScript(otherPagesJs, unreachedJs, libraryJs, stayJs),
    contentType: "text/javascript; charset=utf-8",
  },
  "add-form.js": {
    text: compactScript(otherPagesJs, addFormJs),
    contentType: "text/javascript; charset=utf-8",
  },
  "running-job.js": {
    text: compactScript(otherPagesJs, runningJobJs),
    contentType: "text/javascript; charset=utf-8",
  },
  "marking.js": {
    text: compactScript(otherPagesJs, markingJs),
    contentType: "text/javascript; charset=utf-8",
  },
  "icons.svg": { text: iconsSvg.replace(/\n */g, ""), contentType: "image/svg+xml" },
  "selection.js": { text: compactScript(selectionJs), contentType: "text/javascript; charset=utf-8" },
} as const;

/**
 * A script of ours without comments on lines of their own, indentation, and the line ends and blanks that say nothing: no
 * text in it has “ = ”. Modules that import each other are joined, in the order of their imports: a page loads them in
 * one request.
 */
function compactScript(...modules: readonly string[]): string {
  return modules
    .map((script) =>
      script
        .replace(/^import\s(?:[^;]*from )?"\.\/[\w-]+\.js";$/gm, "")
        .replace(/^export /gm, "")
        .replace(/^\s*\/\*\*.*?\*\/$/gms, "")
        .replace(/^\s*\/\/.*$/gm, "")
        .replace(/^\s+/gm, "")
        .replace(LINE_END, "$1")
        .replace(/ (=>?) /g, "$1"),
    )
    .join("");
}

export type AssetName = keyof typeof FILES;

interface Asset {
  readonly url: SafeUrl;
  readonly content: StaticContent;
  readonly hash: string;
}

const assets = new Map<string, Asset>(
  Object.entries(FILES).map(([name, { text, contentType }]) => {
    const hash = createHash("sha256").update(text).digest("base64url").slice(0, 12);
    const content = new StaticContent({ load: () => Buffer.from(text), contentType });
    return [name, { url: local(`/assets/${hash}/${name}`), content, hash }];
  }),
);

/** The URL of a file, which changes with its content. */
export function assetUrl(name: AssetName): SafeUrl {
  const asset = assets.get(name);
  if (asset === undefined) throw new Error(`there is no asset ${name}`);
  return asset.url;
}

/**
 * A file and whether it is the one with that hash; undefined when there is no file of that name. A page of another
 * version of the program may request another hash: it gets the current file.
 */
export function findAsset(
  name: string,
  hash: string,
): { readonly content: StaticContent; readonly isExact: boolean } | undefined {
  const asset = assets.get(name);
  return asset && { content: asset.content, isExact: asset.hash === hash };
}

/** A version of all files together: a page that names them changes when one of them does. */
export const assetsVersion = createHash("sha256")
  .update([...assets.values()].map(({ hash }) => hash).join())
  .digest("base64url")
  .slice(0, 8);
