/** The levels of headings below the title of an entry, which is an `h2`. */
const BELOW: Readonly<Record<string, string>> = { h2: "h3", h3: "h4" };

/**
 * The safe HTML of a post for a page that shows several: its headings are below the title of the entry, its
 * tables and notes are no landmarks, its images are loaded when they come into view, and its ids, which are unique within a post only, are unique on the page.
 */
export function listedHtml(html: string, post: number): string {
  const own = (id: string) => `p${post}-${id}`;
  return new HTMLRewriter()
    .on("h2, h3", {
      element(element) {
        element.tagName = BELOW[element.tagName] ?? element.tagName;
      },
    })
    .on("img", { element: (element) => void element.setAttribute("loading", "lazy") })
    .on('[role="region"], aside', {
      element(element) {
        if (element.tagName === "aside") element.tagName = "div";
        element.setAttribute("role", "group");
      },
    })
    .on("[id]", {
      element: (element) => void element.setAttribute("id", own(element.getAttribute("id") ?? "")),
    })
    .on('a[href^="#"]', {
      element(element) {
        const target = element.getAttribute("href")?.slice(1) ?? "";
        if (target !== "") element.setAttribute("href", `#${own(target)}`);
      },
    })
    .transform(html);
}
