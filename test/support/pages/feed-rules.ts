import { DomUtils, parseDocument } from "htmlparser2";

type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number];
type Child = Element["children"][number];

/** A date in RFC 3339 format, as RFC 4287, section 3.3, requires. */
const DATE_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
/** A date in RFC 822 format with a year of four digits, as RSS requires. */
const DATE_822 =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d (?:GMT|[+-]\d{4})$/;
const LANGUAGE = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/;

type Faults = string[];

/** Checks an Atom feed (RFC 4287) by the rules of the W3C's feed validator. @param self the feed's URL */
export function faultsOfAtom(xml: string, self: string): Faults {
  const faults: Faults = [];
  const feed = rootOf(xml, "feed", faults);
  if (feed.attribs.xmlns !== "http://www.w3.org/2005/Atom") faults.push("the namespace is not Atom's");
  for (const name of ["id", "title", "updated"]) expectOne(feed, name, faults);
  checkAtomParts(feed, faults);
  const links = childrenOf(feed, "link");
  if (!links.some(({ attribs }) => attribs.rel === "self" && attribs.href === self))
    faults.push(`no link says that the feed is ${self}`);
  const entries = childrenOf(feed, "entry");
  const hasAuthor = childrenOf(feed, "author").length > 0;
  for (const entry of entries) {
    for (const name of ["id", "title", "updated"]) expectOne(entry, name, faults);
    checkAtomParts(entry, faults);
    if (!hasAuthor && childrenOf(entry, "author").length === 0) faults.push("an entry has no author");
    const contents = childrenOf(entry, "content");
    if (contents.length > 1) faults.push("an entry has several contents");
    if (contents.length === 0 && !childrenOf(entry, "link").some(isAlternate))
      faults.push("an entry has neither content nor an alternate link");
    for (const content of contents) {
      if (content.attribs.type !== "html") faults.push(`content is of type ${content.attribs.type}`);
      else faults.push(...faultsOfEscapedHtml(content));
    }
  }
  faults.push(...repeated(entries.map((entry) => textOf(entry, "id"))));
  return faults;
}

function checkAtomParts(parent: Element, faults: Faults): void {
  for (const name of ["subtitle", "summary", "rights", "published", "generator"])
    if (childrenOf(parent, name).length > 1) faults.push(`${parent.name} has several ${name}`);
  const id = textOf(parent, "id");
  if (!isAbsolute(id)) faults.push(`the id ${id} is no absolute IRI`);
  for (const name of ["updated", "published"])
    for (const date of childrenOf(parent, name))
      if (!DATE_3339.test(DomUtils.textContent(date))) faults.push(`${name} is no date of RFC 3339`);
  for (const name of ["title", "subtitle", "summary"])
    for (const text of childrenOf(parent, name)) {
      if (!["text", "html", undefined].includes(text.attribs.type)) faults.push(`${name} has an odd type`);
      if (text.children.some(isElement)) faults.push(`${name} has elements`);
    }
  for (const author of childrenOf(parent, "author"))
    if (textOf(author, "name").trim() === "") faults.push("an author has no name");
  for (const category of childrenOf(parent, "category"))
    if (!category.attribs.term) faults.push("a category has no term");
  const kinds = childrenOf(parent, "link").map(({ attribs }) => {
    if (!isWeb(attribs.href)) faults.push(`the link ${attribs.href} is not absolute`);
    return [attribs.rel ?? "alternate", attribs.type, attribs.hreflang].join(" ");
  });
  faults.push(...repeated(kinds.filter((kind) => kind.startsWith("alternate"))));
}

/** Checks an RSS 2.0 feed (rssboard.org/rss-specification, and its best-practices profile). */
export function faultsOfRss(xml: string, self: string): Faults {
  const faults: Faults = [];
  const root = rootOf(xml, "rss", faults);
  if (root.attribs.version !== "2.0") faults.push("the version is not 2.0");
  const [channel, ...others] = childrenOf(root, "channel");
  if (channel === undefined || others.length > 0) return [...faults, "there is not one channel"];
  for (const name of ["title", "link", "description"]) expectOne(channel, name, faults);
  if (!isWeb(textOf(channel, "link"))) faults.push("the channel's link is not absolute");
  for (const language of childrenOf(channel, "language"))
    if (!LANGUAGE.test(DomUtils.textContent(language))) faults.push("the language is none");
  const selves = childrenOf(channel, "atom:link").filter(({ attribs }) => attribs.rel === "self");
  if (root.attribs["xmlns:atom"] !== "http://www.w3.org/2005/Atom") faults.push("atom: is not declared");
  if (selves.length !== 1 || selves[0]?.attribs.href !== self) faults.push(`no atom:link is ${self}`);
  for (const name of ["pubDate", "lastBuildDate"])
    for (const date of DomUtils.getElementsByTagName(name, channel))
      if (!DATE_822.test(DomUtils.textContent(date))) faults.push(`${name} is no date of RFC 822`);
  const items = childrenOf(channel, "item");
  for (const item of items) {
    for (const name of ["title", "link", "description", "pubDate", "guid", "author"])
      if (childrenOf(item, name).length > 1) faults.push(`an item has several ${name}`);
    if (childrenOf(item, "title").length + childrenOf(item, "description").length === 0)
      faults.push("an item has neither title nor description");
    for (const link of childrenOf(item, "link"))
      if (!isWeb(DomUtils.textContent(link))) faults.push("an item's link is not absolute");
    const [guid] = childrenOf(item, "guid");
    if (guid === undefined) faults.push("an item has no guid");
    else if (guid.attribs.isPermaLink !== "false" && !isWeb(DomUtils.textContent(guid)))
      faults.push("a guid is said to be a permalink");
    for (const author of childrenOf(item, "author"))
      if (!DomUtils.textContent(author).includes("@")) faults.push("an author is no address of mail");
    for (const name of ["description", "content:encoded"])
      for (const html of childrenOf(item, name)) faults.push(...faultsOfEscapedHtml(html));
  }
  if (xml.includes("<content:") && !root.attribs["xmlns:content"]) faults.push("content: is not declared");
  faults.push(...repeated(items.map((item) => textOf(item, "guid"))));
  return faults;
}

/** Checks a JSON Feed 1.1 (jsonfeed.org/version/1.1). */
export function faultsOfJsonFeed(json: string, self: string): Faults {
  const faults: Faults = [];
  const feed = JSON.parse(json) as Record<string, unknown> & { items?: Record<string, unknown>[] };
  if (feed.version !== "https://jsonfeed.org/version/1.1") faults.push("the version is not 1.1");
  if (typeof feed.title !== "string" || feed.title === "") faults.push("there is no title");
  if (feed.feed_url !== self) faults.push(`feed_url is not ${self}`);
  if (!isWeb(feed.home_page_url)) faults.push("home_page_url is not absolute");
  if (!LANGUAGE.test(String(feed.language))) faults.push("the language is none");
  const { items } = feed;
  if (!Array.isArray(items)) return [...faults, "items is no array"];
  for (const item of items) {
    if (typeof item.id !== "string" || item.id === "") faults.push("an id is no text");
    if (typeof item.content_html !== "string" && typeof item.content_text !== "string")
      faults.push("an item has no content");
    else faults.push(...faultsOfHtml(String(item.content_html ?? "")));
    for (const name of ["url", "external_url", "image", "banner_image"])
      if (item[name] !== undefined && !isWeb(item[name])) faults.push(`${name} is not absolute`);
    for (const name of ["date_published", "date_modified"])
      if (item[name] !== undefined && !DATE_3339.test(String(item[name])))
        faults.push(`${name} is no date of RFC 3339`);
    const { tags = [], authors = [] } = item;
    if (!Array.isArray(tags) || tags.some((tag) => typeof tag !== "string"))
      faults.push("tags is no array of texts");
    if (!Array.isArray(authors) || authors.some((author) => !author.name && !author.url))
      faults.push("an author has nothing");
    if ("author" in item) faults.push("author is of version 1.0");
  }
  faults.push(...repeated(items.map(({ id }) => String(id))));
  return faults;
}

function rootOf(xml: string, name: string, faults: Faults): Element {
  if (!/^<\?xml version="1\.0" encoding="utf-8"\?>/i.test(xml)) faults.push("there is no XML declaration");
  const { children } = parseDocument(xml, { xmlMode: true });
  const roots = children.filter(isElement);
  const [root] = roots;
  if (root === undefined || roots.length > 1 || root.name !== name) throw new Error(`the root is no ${name}`);
  return root;
}

function isElement(child: Child): child is Element {
  return "attribs" in child;
}

function childrenOf(parent: Element, name: string): Element[] {
  return parent.children.filter(isElement).filter((child) => child.name === name);
}

function textOf(parent: Element, name: string): string {
  const [child] = childrenOf(parent, name);
  return child === undefined ? "" : DomUtils.textContent(child);
}

function expectOne(parent: Element, name: string, faults: Faults): void {
  const found = childrenOf(parent, name);
  if (found.length !== 1) faults.push(`${parent.name} has ${found.length} ${name}`);
  else if (DomUtils.textContent(found[0] ?? parent).trim() === "") faults.push(`${name} is empty`);
}

function isAlternate({ attribs }: Element): boolean {
  return attribs.rel === undefined || attribs.rel === "alternate";
}

/** HTML in XML is text: escaped, or in a CDATA section. */
function faultsOfEscapedHtml(element: Element): Faults {
  if (element.children.some(isElement)) return [`${element.name} is not escaped`];
  return faultsOfHtml(DomUtils.textContent(element));
}

/** Relative references and active content are faults. */
function faultsOfHtml(html: string): Faults {
  const faults: Faults = [];
  for (const element of DomUtils.getElementsByTagName("*", parseDocument(html))) {
    const { name, attribs } = element;
    if (["script", "style", "iframe", "object", "embed", "form", "meta"].includes(name))
      faults.push(`the content has <${name}>`);
    for (const [attribute, value] of Object.entries(attribs)) {
      if (attribute.startsWith("on") || attribute === "style") faults.push(`the content has ${attribute}`);
      if (["href", "src", "cite"].includes(attribute) && !isAbsolute(value))
        faults.push(`${attribute}="${value}" is relative`);
      if (attribute === "srcset" && value.split(", ").some((url) => !isWeb(url.split(" ")[0])))
        faults.push("srcset is relative");
    }
  }
  return faults;
}

function repeated(values: readonly string[]): Faults {
  return values
    .filter((value, index) => values.indexOf(value) !== index)
    .map((value) => `${value} is there twice`);
}

function isAbsolute(value: string): boolean {
  return /^[a-z][a-z\d+.-]*:\S+$/i.test(value);
}

/** A web URL with the characters of a URI (RFC 3986) alone: brackets only around the host. */
function isWeb(value: unknown): boolean {
  return (
    typeof value === "string" &&
    /^https?:\/\/[^\s/]+[\w/?#:@!$&'()*+,;=.~%-]*$/.test(value) &&
    URL.canParse(value)
  );
}
