declare const safe: unique symbol;

/**
 * A URL for `href`, `src`, `action` and the like. The markup's types accept nothing else
 * (`jsx/elements.ts`), and only the functions of this file make one, so that no scheme that runs script, such as
 * `javascript:`, can reach an attribute.
 */
export type SafeUrl = string & { readonly [safe]: true };

/** The parameters of a query; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/**
 * A path of this server. The text is a constant in the code; data goes into `query`, or through
 * `segment`.
 * @param path begins with one `/`, percent-encoded
 */
export function local(path: `/${string}`, query: Query = {}): SafeUrl {
  if (!isLocal(path)) throw new Error("a local URL begins with one slash");
  return withQuery(path, query);
}

/** An element of a page; a fragment that the URL has already is replaced. @param id of the element */
export function withFragment(url: SafeUrl, id: string): SafeUrl {
  return `${url.split("#", 1)[0]}${fragment(id)}` as SafeUrl;
}

/** A fragment of the same page. @param id of an element */
export function fragment(id: string): SafeUrl {
  return `#${encodeURIComponent(id)}` as SafeUrl;
}

/**
 * A page anywhere, for links.
 * @returns undefined when the text is no URL of http or https: then there is nothing to link to
 */
export function web(url: string): SafeUrl | undefined {
  const parsed = URL.parse(url);
  const isWeb = parsed?.protocol === "https:" || parsed?.protocol === "http:";
  return isWeb ? (parsed.href as SafeUrl) : undefined;
}

/** The characters of a page that the bookmarklet hands over: a copy may have as many bytes. */
const PAGE_MAX = 25 * 1024 * 1024;

/**
 * A link to drag to a browser's bookmarks bar: it opens the form of a new bookmark for the page that one is on, and hands the
 * page over when that window asks for it (`public/add-form.js`). The Content Security Policy keeps it from running on pages of
 * this server.
 * @param origin of this server, as the URL standard writes it
 */
export function bookmarklet(origin: string): SafeUrl {
  const own = new URL(origin).origin;
  const script = [
    `const e=encodeURIComponent,d=document,o=${JSON.stringify(own)}`,
    `const w=open(o+"/library/new?window=1&url="+e(location.href)+"&title="+e(d.title)+"&text="+e(getSelection()),"_blank","width=560,height=720")`,
    `addEventListener("message",m=>{if(m.source!==w||m.origin!==o||m.data!=="commonplace:page")return;const h=(d.doctype?new XMLSerializer().serializeToString(d.doctype):"")+d.documentElement.outerHTML;if(h.length<=${PAGE_MAX})w.postMessage({commonplace:"page",html:h},o)})`,
  ].join(";");
  return `javascript:${encodeURIComponent(`(()=>{${script}})()`)}` as SafeUrl;
}

/** A path of this server, or an http(s) URL; undefined for anything else. */
export function anyUrl(target: string): SafeUrl | undefined {
  return isLocal(target) ? (target as SafeUrl) : web(target);
}

/** The larger form of a picture, for `srcset`. @param large twice as wide as `src` */
export function twiceAsWide(large: SafeUrl): SafeUrl {
  return `${large} 2x` as SafeUrl;
}

/** The forms of an uploaded image, for `srcset`. */
export function sourceSet(forms: readonly { readonly url: string; readonly width: number }[]): SafeUrl {
  return forms
    .flatMap(({ url, width }) => (isLocal(url) && !url.includes(",") ? [`${url} ${width}w`] : []))
    .join(", ") as SafeUrl;
}

/** Text as one segment of a path: `local(`/tags/${segment(tag)}`)`. */
export function segment(text: string): string {
  // A segment of dots would lead to another folder, in whatever spelling.
  return encodeURIComponent(text).replace(/^\.{1,2}$/, (dots) => dots.replaceAll(".", "%252E"));
}

/**
 * The target after a form, taken from the request: a path of this server, or else `fallback`. Anything that the URL
 * standard would resolve to another origin, in any spelling, is refused.
 */
export function localTarget(text: string | null | undefined, fallback: SafeUrl): SafeUrl {
  if (text == null || !isLocal(text)) return fallback;
  const base = "http://local.invalid";
  const parsed = URL.parse(text, base);
  if (parsed === null || parsed.origin !== base) return fallback;
  const path = parsed.pathname + parsed.search + parsed.hash;
  return isLocal(path) ? (path as SafeUrl) : fallback;
}

/** One slash, then none, and no backslash, which browsers take for a slash; no white space that they would drop. */
function isLocal(path: string): boolean {
  return /^\/(?![/\\])[^\\\s\p{Cc}]*$/u.test(path);
}

function withQuery(path: string, query: Query): SafeUrl {
  let url: string = path;
  let separator = path.includes("?") ? "&" : "?";
  for (const name in query) {
    const value = query[name];
    if (value === undefined) continue;
    url += `${separator}${formEncoded(name)}=${formEncoded(String(value))}`;
    separator = "&";
  }
  return url as SafeUrl;
}

/** As `URLSearchParams` writes it, in a fraction of the time: a list has a hundred such links. */
function formEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /%20|[!'()~]/g,
    (found) => FORM_ENCODED[found] ?? found,
  );
}

const FORM_ENCODED: Readonly<Record<string, string>> = {
  "%20": "+",
  "!": "%21",
  "'": "%27",
  "(": "%28",
  ")": "%29",
  "~": "%7E",
};

/** Where a sign-in ends that was opened in a tab of its own, beside a page with an unsaved text; and that sign-in. */
export const SIGNED_IN_BESIDE = local("/sign-in", { beside: "1" });
export const SIGN_IN_BESIDE = local("/sign-in", { next: SIGNED_IN_BESIDE });
