// The images of a Markdown text: where they stand, and what is said of them.

/** Code, in which nothing is an image: a block, to the end if it has none, and words. */
const CODE =
  /^ {0,3}(?<fence>`{3,}|~{3,})[\s\S]*?(?:\n {0,3}\k<fence>|(?![\s\S]))|(?<ticks>`+)[^\n]*?\k<ticks>/;
/** The description of an image, which may have pairs of brackets. */
const ALT = /(?<!\\)!\[(?<alt>(?:\\[\s\S]|\[[^[\]]*\]|[^\\[\]])*)\]/;
const ADDRESS = /<(?<quoted>[^<>\n]*)>|(?<bare>[^\s()<]+(?:\([^\s()]*\)[^\s()]*)*)/;
/** The caption, in either quotes. */
const TITLE = /\s+(?:"(?<title>(?:\\.|[^"\\\n])*)"|'(?<other>(?:\\.|[^'\\\n])*)')/;
const MARK = new RegExp(
  `${CODE.source}|${ALT.source}\\(\\s*(?:${ADDRESS.source})(?:${TITLE.source})?\\s*\\)`,
  "gm",
);

/**
 * The images in a text, in their order. An empty caption that is written says that the image is only decoration:
 * `![](address "")`.
 */
export function picturesIn(text) {
  const found = [];
  for (const { 0: mark, index: start, groups } of text.matchAll(MARK)) {
    const { alt, quoted, bare, title, other } = groups;
    if (alt === undefined) continue;
    const caption = title ?? other;
    found.push({
      start,
      end: start + mark.length,
      mark,
      url: quoted ?? bare,
      alt: unescaped(alt),
      caption: unescaped(caption ?? ""),
      isDecoration: alt.trim() === "" && caption === "",
    });
  }
  return found;
}

/** Whether an address is that of an image on this server; what else is at an address of it may make it ask another site. */
export function isUploaded(url = "") {
  return /^\/media\/[\w-]+\.\w+$/.test(url);
}

/** An image in Markdown. */
export function markOf({ url, alt, caption, isDecoration }) {
  const address = /[()]/.test(url) ? `<${url}>` : url;
  if (isDecoration) return `![](${address} "")`;
  const title = caption === "" ? "" : ` "${caption.replace(/[\\"&]/g, "\\$&")}"`;
  return `![${alt.replace(/[\\`*_[\]<&]/g, "\\$&")}](${address}${title})`;
}

function unescaped(text) {
  return text.replace(/\\([!-/:-@[-`{-~])/g, "$1").replace(/\s+/g, " ");
}
