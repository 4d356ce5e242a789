import { escapedHtml } from "../html/html-content.ts";
import { lineOf } from "../reading/foreign-values.ts";
import { isOpenCard } from "./gated-parts.ts";

/** A part of a post: HTML, or Markdown as it was written. */
export type GhostPart = { readonly html: string } | { readonly markdown: string };

type Values = Readonly<Record<string, unknown>>;

/** A card of Ghost's editors as a visitor sees it, or why nobody does; undefined for one that is not known. */
export function cardOf(name: string, given: Values): GhostPart | { readonly leftOut: string } | undefined {
  if (!isOpenCard(given.visibility))
    return { leftOut: `${name} (“visibility: ${lineOf(JSON.stringify(given.visibility), 100)}”)` };
  if (name === "email" || name === "email-cta") return { leftOut: `${name}, which is in emails alone` };
  return openCard(name, new Card(given), given);
}

function openCard(name: string, card: Card, given: Values): GhostPart | undefined {
  switch (name) {
    case "image":
      return card.figure(card.picture(given));
    case "gallery":
      return card.figure(
        listOf(given.images)
          .map((image) => card.picture(image))
          .join("\n"),
      );
    case "code":
    case "codeblock":
      return card.code();
    case "html":
      return { html: card.text("html") };
    case "markdown":
    case "card-markdown":
      return { markdown: card.text("markdown") };
    case "hr":
    case "horizontalrule":
      return { html: "<hr>" };
    case "bookmark":
      return card.bookmark();
    case "embed":
      return card.embed();
    case "button":
      return { html: card.button() };
    case "callout":
      return { html: `<aside>${card.words("calloutEmoji")} ${card.text("calloutText")}</aside>` };
    case "toggle":
      return { html: `<details><summary>${card.text("heading")}</summary>${card.text("content")}</details>` };
    case "audio":
    case "video":
    case "file":
      return card.file();
    case "product":
      return card.product();
    case "header":
      return {
        html: `<h2>${card.text("header")}</h2><p>${card.text("subheader")}</p>${given.buttonEnabled === true ? card.button() : ""}`,
      };
    case "call-to-action":
      return card.callToAction();
    case "signup":
      return card.signup();
    // It ends what everybody sees of a post for members; those are drafts. The other one is a mark of the editor.
    case "paywall":
    case "zwnj":
      return { html: "" };
    default:
      return undefined;
  }
}

class Card {
  readonly #given: Values;

  constructor(given: Values) {
    this.#given = given;
  }

  /** A member that is text, or HTML. */
  text(name: string): string {
    const value = this.#given[name];
    return typeof value === "string" ? value : "";
  }

  /** A member that is text, as HTML. */
  words(name: string): string {
    return escapedHtml(this.text(name));
  }

  link(url: string, words: string): string {
    return url === "" ? words : `<a href="${escapedHtml(url)}">${words || escapedHtml(url)}</a>`;
  }

  button(): string {
    const link = this.link(this.text("buttonUrl"), this.words("buttonText"));
    return link === "" ? "" : `<p>${link}</p>`;
  }

  callToAction(): GhostPart {
    const label = this.#given.hasSponsorLabel === true ? this.text("sponsorLabel") : "";
    const picture = this.picture({ src: this.#given.imageUrl });
    const isButton = this.#given.showButton !== false && this.text("buttonUrl") !== "";
    return { html: wrapped(`${label}${picture}${this.text("textValue")}${isButton ? this.button() : ""}`) };
  }

  /** Its form does not come in. */
  signup(): GhostPart {
    const part = (name: string, tag: string) =>
      this.text(name) === "" ? "" : `<${tag}>${this.text(name)}</${tag}>`;
    return { html: wrapped(part("header", "h2") + part("subheader", "p") + part("disclaimer", "p")) };
  }

  picture(given: Values): string {
    const { src, alt, href } = given;
    if (typeof src !== "string" || src === "") return "";
    const image = `<img src="${escapedHtml(src)}" alt="${escapedHtml(typeof alt === "string" ? alt : "")}">`;
    return typeof href === "string" && href !== "" ? this.link(href, image) : image;
  }

  figure(content: string): GhostPart {
    const caption = this.text("caption");
    return {
      html: `<figure>${content}${caption === "" ? "" : `<figcaption>${caption}</figcaption>`}</figure>`,
    };
  }

  code(): GhostPart {
    const language = this.text("language").replaceAll(/[^\w+#-]/g, "");
    const label = language === "" ? "" : ` class="language-${language}"`;
    const block = `<pre><code${label}>${this.words("code")}</code></pre>`;
    return this.text("caption") === "" ? { html: block } : this.figure(block);
  }

  bookmark(): GhostPart {
    const metadata = recordOf(this.#given.metadata);
    const part = (name: string) => (typeof metadata[name] === "string" ? escapedHtml(metadata[name]) : "");
    const link = this.link(this.text("url"), part("title"));
    return this.figure(`<p>${link}</p>${part("description") === "" ? "" : `<p>${part("description")}</p>`}`);
  }

  embed(): GhostPart {
    const url = this.text("url");
    return this.figure(url === "" ? this.text("html") : `<p>${this.link(url, "")}</p>`);
  }

  file(): GhostPart {
    const words = this.words("title") || this.words("fileTitle") || this.words("fileName");
    return this.figure(`<p>${this.link(this.text("src"), words)}</p><p>${this.words("fileCaption")}</p>`);
  }

  product(): GhostPart {
    const picture = this.picture({ src: this.#given.productImageSrc });
    const button = this.link(this.text("productUrl"), this.words("productButton"));
    return {
      html: `<div>${picture}<h4>${this.text("productTitle")}</h4>${this.text("productDescription")}<p>${button}</p></div>`,
    };
  }
}

function wrapped(html: string): string {
  return html === "" ? "" : `<div>${html}</div>`;
}

export function recordOf(value: unknown): Values {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Values) : {};
}

export function listOf(value: unknown): Values[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
}
