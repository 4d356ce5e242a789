/**
 * The same HTML for other programs, such as readers of feeds: with absolute URLs, and without the marks of our style sheet.
 * @param page the URL of the page on which it stands
 */
export function withAbsoluteUrls(html: string, page: string): string {
  const resolve = (url: string) => URL.parse(url, page)?.href ?? url;
  return new HTMLRewriter()
    .on("a[class]", { element: (element) => void element.removeAttribute("class") })
    .on("a[href]", {
      element: (element) => void element.setAttribute("href", resolve(element.getAttribute("href") ?? "")),
    })
    .on("[cite]", {
      element: (element) => void element.setAttribute("cite", resolve(element.getAttribute("cite") ?? "")),
    })
    .on("img[src]", {
      element(element) {
        element.setAttribute("src", resolve(element.getAttribute("src") ?? ""));
        const smaller = element.getAttribute("srcset");
        if (smaller !== null)
          element.setAttribute(
            "srcset",
            smaller.replace(/(^|, )(\S+)/g, (_, before: string, url: string) => before + resolve(url)),
          );
      },
    })
    .transform(html);
}
