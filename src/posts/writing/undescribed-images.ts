/**
 * Code, in which nothing is an image, or an image without a description, and perhaps with the empty caption that says
 * that it is only decoration: see `picture-marks.js`. Each match goes as far as it has looked, so that a long text takes
 * no longer than its length.
 */
const CODE_OR_IMAGE =
  /^ {0,3}(?<fence>`{3,}|~{3,})[\s\S]*?(?:\n {0,3}\k<fence>|$(?![\s\S]))|`[^`\n]+`|(?<image>!\[\s*\]\(\s*(?!\s)(?:<[^<>\n]*>|(?:[^\s()<]|\([^\s()]*\))*)(?<decoration>\s+(?:""|'')\s*\))?)/gm;

/** The number of images in a Markdown text that have no description and are not called decoration. */
export function countUndescribed(content: string): number {
  let count = 0;
  for (const { groups } of content.matchAll(CODE_OR_IMAGE))
    if (groups?.image !== undefined && groups.decoration === undefined) count++;
  return count;
}
