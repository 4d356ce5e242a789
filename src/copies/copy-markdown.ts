import { Parser } from "htmlparser2";

/** What stands around the words of an element in a line. */
const SIGNS: Readonly<Record<string, string>> = {
  ...{ em: "*", i: "*", strong: "**", b: "**", del: "~~", s: "~~" },
};
const HEADINGS: Readonly<Record<string, string>> = {
  h2: "##",
  h3: "###",
  h4: "####",
  h5: "#####",
  h6: "######",
};
const BLOCKS = new Set([
  ...[
    "p",
    "div",
    "blockquote",
    "ul",
    "ol",
    "dl",
    "dt",
    "dd",
    "table",
    "figure",
    "figcaption",
    "caption",
    "details",
  ],
  ...["summary", "pre", "hr", ...Object.keys(HEADINGS)],
]);

/**
 * The text of a copy as Markdown, to be read: signs that the text itself has are not escaped, pictures are their descriptions, and links
 * within the page are words.
 * @param html as `sanitizeCopy` writes it
 */
export function copyAsMarkdown(html: string): string {
  const writer = new MarkdownWriter();
  const parser = new Parser({
    onopentag: (name, attributes) => writer.open(name, attributes),
    onclosetag: (name) => writer.close(name),
    ontext: (text) => writer.text(text),
  });
  parser.end(html);
  return writer.end();
}

class MarkdownWriter {
  readonly #parts: string[] = [];
  /** What each line begins with, by the blocks around it. */
  readonly #beginnings: string[] = [];
  /** The numbers of the open lists; 0 for one without numbers. */
  readonly #lists: number[] = [];
  /** The addresses of the open links; empty for one within the page. */
  readonly #links: string[] = [];
  /** The line feeds before the next word. */
  #lines = 0;
  /** Whether the line has nothing but a mark, such as that of an item: then a block goes on in it. */
  #isFresh = true;
  #endsWithSpace = false;
  /** The cells of the open row, and whether the table has one above it. */
  #cells = 0;
  #hasRow = false;
  #isInCell = false;
  #isCode = false;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (BLOCKS.has(name)) this.#separate(this.#lists.length > 0 ? 1 : 2);
    const heading = HEADINGS[name];
    const sign = SIGNS[name];
    if (heading !== undefined) this.#mark(`${heading} `);
    else if (sign !== undefined) this.#write(sign);
    else if (name === "blockquote") this.#beginnings.push("> ");
    else if (name === "ul" || name === "ol")
      this.#lists.push(name === "ul" ? 0 : Number(attributes.start ?? 1));
    else if (name === "li") this.#item();
    else if (name === "tr") this.#row();
    else if (name === "td" || name === "th") this.#cell();
    else if (name === "table") this.#hasRow = false;
    else if (name === "br") this.#separate(1);
    else if (name === "hr") this.#write("---");
    else if (name === "img") this.#write(attributes.alt ? `![${attributes.alt}]` : "");
    else if (name === "a") this.#link(attributes.href ?? "");
    else if (name === "pre") this.#fence(attributes.class);
    else if (name === "code" && !this.#isCode) this.#write("`");
  }

  close(name: string): void {
    const sign = SIGNS[name];
    if (sign !== undefined) this.#write(sign);
    else if (name === "a") {
      const href = this.#links.pop();
      if (href) this.#write(`](${href})`);
    } else if (name === "pre") this.#endFence();
    else if (name === "code" && !this.#isCode) this.#write("`");
    else if (name === "td" || name === "th") this.#endCell();
    else if (name === "tr") this.#endRow();
    else if (name === "ul" || name === "ol") this.#lists.pop();
    else if (name === "li" || name === "blockquote") this.#beginnings.pop();
    if (name === "li") this.#separate(1);
    else if (BLOCKS.has(name)) this.#separate(this.#lists.length > 0 ? 1 : 2);
  }

  text(text: string): void {
    if (this.#isCode) {
      this.#write(text.replaceAll("\n", `\n${this.#beginnings.join("")}`));
      return;
    }
    const words = text.replace(/\s+/g, " ");
    const isAtStart = this.#isFresh || this.#lines > 0 || this.#endsWithSpace;
    const shown = isAtStart ? words.trimStart() : words;
    if (shown !== "") this.#write(this.#isInCell ? shown.replaceAll("|", "\\|") : shown);
  }

  end(): string {
    return this.#parts.join("").trimEnd();
  }

  #write(text: string): void {
    if (text === "") return;
    const beginning = this.#beginnings.join("");
    if (this.#parts.length === 0) this.#parts.push(beginning);
    else if (this.#lines > 0)
      this.#parts.push(`\n${beginning.trimEnd()}`.repeat(this.#lines - 1), `\n${beginning}`);
    this.#parts.push(text);
    this.#lines = 0;
    this.#isFresh = false;
    this.#endsWithSpace = text.endsWith(" ");
  }

  /** Writes what a block begins with. */
  #mark(text: string): void {
    this.#write(text);
    this.#isFresh = true;
  }

  #separate(lines: number): void {
    if (this.#isFresh) return;
    if (this.#isInCell) this.#write(this.#endsWithSpace ? "" : " ");
    else this.#lines = Math.max(this.#lines, lines);
  }

  #item(): void {
    this.#separate(1);
    const number = this.#lists.pop() ?? 0;
    this.#lists.push(number === 0 ? 0 : number + 1);
    const mark = number === 0 ? "- " : `${number}. `;
    this.#mark(mark);
    this.#beginnings.push(" ".repeat(mark.length));
  }

  #link(href: string): void {
    const address = href.startsWith("#") ? "" : href;
    this.#links.push(address);
    if (address !== "") this.#write("[");
  }

  #fence(classes = ""): void {
    const [, language = ""] = /language-([\w+#-]+)/.exec(classes) ?? [];
    this.#write(`\`\`\`${language}`);
    this.#lines = 1;
    this.#isCode = true;
  }

  #endFence(): void {
    this.#isCode = false;
    this.#lines = 1;
    this.#write("```");
  }

  #row(): void {
    this.#separate(1);
    this.#write("|");
    this.#cells = 0;
  }

  #cell(): void {
    this.#write(" ");
    this.#isInCell = true;
    this.#isFresh = true;
  }

  #endCell(): void {
    this.#isInCell = false;
    this.#write(this.#endsWithSpace ? "|" : " |");
    this.#cells++;
  }

  #endRow(): void {
    this.#lines = 1;
    if (!this.#hasRow) this.#write(`|${" --- |".repeat(this.#cells)}`);
    this.#hasRow = true;
    this.#lines = 1;
  }
}
