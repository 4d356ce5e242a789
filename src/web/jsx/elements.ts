import type { SafeUrl } from "../urls.ts";
import type { Children } from "./preact.js";

/**
 * The elements that pages may have, each with its own attributes. What the Content Security Policy would refuse, or
 * what could run a stranger's script, is not among them: handlers, `style`, `srcdoc`, and URLs that are plain strings.
 */
export interface Elements {
  readonly html: { readonly "data-theme": string };
  readonly head: Empty;
  readonly title: Empty;
  readonly meta: {
    readonly name: string;
    readonly content: string;
    readonly charset: string;
    readonly property: string;
    readonly "http-equiv": "refresh";
  };
  readonly noscript: Empty;
  readonly link: Link & { readonly sizes: string; readonly title: string };
  readonly script: {
    readonly src: SafeUrl;
    readonly type: "module";
    readonly async: boolean;
    readonly defer: boolean;
  };
  readonly body: Empty;

  readonly header: Empty;
  readonly footer: Empty;
  readonly main: Empty;
  readonly nav: Empty;
  readonly section: Empty;
  readonly article: Empty;
  readonly aside: Empty;
  readonly search: Empty;
  readonly div: Empty;
  readonly span: Empty;
  readonly h1: Empty;
  readonly h2: Empty;
  readonly h3: Empty;
  readonly h4: Empty;
  readonly p: Empty;
  readonly pre: Empty;
  readonly code: Empty;
  readonly kbd: Empty;
  readonly samp: Empty;
  readonly em: Empty;
  readonly strong: Empty;
  readonly b: Empty;
  readonly i: Empty;
  readonly small: Empty;
  readonly sub: Empty;
  readonly sup: Empty;
  readonly mark: Empty;
  readonly del: { readonly datetime: string };
  readonly ins: { readonly datetime: string };
  readonly bdi: Empty;
  readonly abbr: Empty;
  readonly cite: Empty;
  readonly blockquote: { readonly cite: SafeUrl };
  readonly br: Empty;
  readonly hr: Empty;
  readonly wbr: Empty;
  readonly ul: Empty;
  readonly ol: { readonly start: number; readonly reversed: boolean };
  readonly li: { readonly value: number };
  readonly dl: Empty;
  readonly dt: Empty;
  readonly dd: Empty;
  readonly details: { readonly open: boolean; readonly name: string };
  readonly summary: Empty;
  readonly figure: Empty;
  readonly figcaption: Empty;
  readonly time: { readonly datetime: string };
  readonly data: { readonly value: string };
  readonly template: Empty;

  readonly a: Link & { readonly download: string | boolean; readonly target: "_blank"; readonly ping: never };
  readonly img: Sized & {
    readonly src: SafeUrl;
    readonly srcset: SafeUrl;
    readonly sizes: string;
    readonly alt: string;
    readonly loading: "lazy" | "eager";
    readonly fetchpriority: "high";
    readonly decoding: "async";
  };
  readonly iframe: Sized & {
    readonly src: SafeUrl;
    readonly loading: "lazy" | "eager";
  };
  readonly picture: Empty;
  readonly source: {
    readonly srcset: SafeUrl;
    readonly type: string;
    readonly media: string;
    readonly sizes: string;
  };

  readonly table: Empty;
  readonly caption: Empty;
  readonly thead: Empty;
  readonly tbody: Empty;
  readonly tr: Empty;
  readonly th: Cell & { readonly scope: "col" | "row" | "colgroup" | "rowgroup"; readonly abbr: string };
  readonly td: Cell;

  readonly form: {
    readonly method: "get" | "post";
    readonly action: SafeUrl;
    readonly enctype: "multipart/form-data";
    readonly autocomplete: string;
    readonly novalidate: boolean;
    readonly name: string;
  };
  readonly fieldset: { readonly disabled: boolean; readonly name: string };
  readonly legend: Empty;
  readonly label: { readonly for: string };
  readonly input: Control & {
    readonly type: string;
    readonly value: string | number;
    readonly checked: boolean;
    readonly min: string | number;
    readonly max: string | number;
    readonly step: string | number;
    readonly pattern: string;
    readonly size: number;
    readonly list: string;
    readonly accept: string;
    readonly multiple: boolean;
    readonly formaction: SafeUrl;
  };
  readonly textarea: Control & {
    readonly value: string;
    readonly rows: number;
    readonly wrap: "soft" | "off";
  };
  readonly select: Control & { readonly multiple: boolean; readonly size: number };
  readonly datalist: Empty;
  readonly optgroup: { readonly label: string; readonly disabled: boolean };
  readonly option: {
    readonly value: string;
    readonly selected: boolean;
    readonly disabled: boolean;
    readonly label: string;
  };
  readonly output: { readonly for: string; readonly name: string };
  readonly button: {
    readonly type: "submit" | "button" | "reset";
    readonly name: string;
    readonly value: string;
    readonly disabled: boolean;
    readonly form: string;
    readonly formaction: SafeUrl;
    readonly formmethod: "get" | "post";
    readonly formnovalidate: boolean;
    readonly popovertarget: string;
    readonly popovertargetaction: "show" | "hide" | "toggle";
  };
  readonly progress: { readonly value: number; readonly max: number };
  readonly meter: { readonly value: number; readonly min: number; readonly max: number };

  readonly svg: Drawn;
  readonly g: Drawn;
  readonly path: Drawn;
  readonly rect: Drawn;
  readonly circle: Drawn;
  readonly line: Drawn;
  readonly text: Drawn;
  readonly use: { readonly href: SafeUrl };

  /** Custom elements of our scripts, configured by `data-` attributes. */
  readonly [custom: `${string}-${string}`]: { readonly for: string };
}

/** The attributes of an element: its own and the global ones, and its children. */
export type Attributes<Own> = { readonly [Name in keyof Own]?: Own[Name] | undefined } & Global & {
    readonly children?: Children;
  };

type Empty = Record<never, never>;

interface Global {
  readonly id?: string | undefined;
  readonly class?: string | undefined;
  readonly lang?: string | undefined;
  readonly dir?: "auto" | "ltr" | "rtl" | undefined;
  readonly title?: string | undefined;
  readonly hidden?: boolean | undefined;
  readonly inert?: boolean | undefined;
  readonly role?: string | undefined;
  readonly tabindex?: number | undefined;
  readonly translate?: "no" | undefined;
  readonly popover?: "auto" | "manual" | undefined;
  readonly autofocus?: boolean | undefined;
  readonly accesskey?: string | undefined;
  readonly [aria: `aria-${string}`]: string | number | boolean | undefined;
  readonly [data: `data-${string}`]: string | number | undefined;
}

interface Link {
  readonly href: SafeUrl;
  readonly rel: string;
  readonly type: string;
  readonly hreflang: string;
}

interface Sized {
  readonly width: number;
  readonly height: number;
}

interface Cell {
  readonly colspan: number;
  readonly rowspan: number;
  readonly headers: string;
}

interface Control {
  readonly name: string;
  readonly form: string;
  readonly required: boolean;
  readonly disabled: boolean;
  readonly readonly: boolean;
  readonly placeholder: string;
  readonly minlength: number;
  readonly maxlength: number;
  readonly autocomplete: string;
  readonly autocapitalize: "none" | "sentences" | "words";
  readonly autocorrect: "off";
  readonly spellcheck: "true" | "false";
  readonly inputmode: "text" | "url" | "search" | "numeric";
  readonly enterkeyhint: "go" | "search" | "send" | "done" | "next";
}

interface Drawn extends Sized {
  readonly viewBox: string;
  readonly fill: string;
  readonly stroke: string;
  readonly d: string;
  readonly x: number;
  readonly y: number;
  readonly cx: number;
  readonly cy: number;
  readonly r: number;
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}
