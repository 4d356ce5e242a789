import { type BookmarkFormat, extended, type FormatInput, makeRow, WHOLE } from "../bookmark-format.ts";
import { LineCounter, type StartTag, type TokenHandler, TokenReader } from "./html-tokens.ts";

/**
 * The `ril_export.html` of Pocket: lists of links below the headings *Unread* and *Read Archive*, with the attributes
 * `time_added` and `tags`, which commas separate.
 */
export const pocketHtml: BookmarkFormat = {
  name: "pocket",
  rowUnit: "line",
  isUtf8: false,
  async read(reading) {
    const links = new PocketLinks(reading);
    const tokens = new TokenReader(links);
    for await (const piece of reading.text.pieces()) {
      if (tokens.isEndless) break;
      const html = piece.replaceAll("\0", "\ufffd").toWellFormed();
      links.lines.forgetBefore(tokens.position);
      links.lines.extend(html);
      tokens.write(html);
    }
    const unread = tokens.end();
    return { ...WHOLE, unreadFrom: unread === null ? null : links.lines.at(unread) };
  },
};

class PocketLinks implements TokenHandler {
  readonly lines = new LineCounter();
  readonly #reading: FormatInput;
  #heading = "";
  #link: { readonly tag: StartTag; readonly line: number; label: string } | null = null;
  #isInHeading = false;

  constructor(reading: FormatInput) {
    this.#reading = reading;
  }

  startTag(tag: StartTag): void {
    if (tag.name === "h1") {
      this.#heading = "";
      this.#isInHeading = true;
    } else if (tag.name === "a") {
      this.#finish();
      this.#link = { tag, line: this.lines.at(tag.start), label: "" };
    } else if (tag.name === "li" || tag.name === "ul") this.#finish();
  }

  endTag(name: string): void {
    if (name === "h1") this.#isInHeading = false;
    else if (name === "a" || name === "ul") this.#finish();
  }

  text(text: string): void {
    if (this.#isInHeading) this.#heading = extended(this.#heading, text);
    else if (this.#link !== null) this.#link.label = extended(this.#link.label, text);
  }

  declaration(): void {}

  #finish(): void {
    if (this.#link === null) return;
    const { tag, line, label } = this.#link;
    this.#link = null;
    const tags = tag.attribute("tags") ?? "";
    const isArchived = this.#heading.trim().toLowerCase() === "read archive";
    this.#reading.onRow(
      makeRow({
        line,
        url: tag.attribute("href") ?? "",
        title: label,
        tags,
        tagNames: tags.split(",").filter((name) => name !== ""),
        date: tag.attribute("time_added"),
        states: { unread: !isArchived, archived: isArchived, shared: false },
      }),
    );
  }
}
