declare module "@mozilla/readability/JSDOMParser.js" {
  export interface PageText {
    readonly nodeType: 3;
    readonly textContent: string;
  }

  /** An element of the small DOM that Readability brings; its lists are arrays. */
  export interface PageElement {
    readonly nodeType: 1;
    /** In lower case. */
    readonly localName: string;
    /** In capitals. */
    readonly tagName: string;
    readonly parentNode: PageElement | null;
    readonly childNodes: readonly PageNode[];
    readonly children: readonly PageElement[];
    readonly attributes: readonly { readonly name: string; readonly value: string }[];
    readonly textContent: string;
    readonly className: string;
    readonly id: string;
    getAttribute(name: string): string | undefined;
    setAttribute(name: string, value: string): void;
    hasAttribute(name: string): boolean;
    appendChild(child: PageNode): void;
    removeChild(child: PageNode): void;
    replaceChild(child: PageNode, replaced: PageNode): void;
    getElementsByTagName(name: string): readonly PageElement[];
  }

  export type PageNode = PageText | PageElement;

  export interface PageDocument {
    title: string;
    readonly documentElement: PageElement;
    readonly head: PageElement;
    readonly body: PageElement;
    createElement(name: string): PageElement;
    createTextNode(text: string): PageText;
    getElementsByTagName(name: string): readonly PageElement[];
  }

  export default class JSDOMParser {
    parse(html: string, url: string): PageDocument;
  }
}
