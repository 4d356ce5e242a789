/** Elements that show something without text. */
const SHOWN = /<(?:img|picture|video|audio|iframe|object|embed|svg|canvas|math)(?=[\s/>])/i;

/** Whether a text in HTML or Markdown shows nothing at all. */
export function isEmptyContent(content: string): boolean {
  if (SHOWN.test(content)) return false;
  return !/\S/.test(
    content.replaceAll(/<[^<>]*>/g, "").replaceAll(/&nbsp;|&#160;|&#xa0;|[\u200b\ufeff]/gi, ""),
  );
}
