import type { Attributes, Elements } from "./elements.ts";

/** What a component returns; rendered by {@link renderToString}. */
export interface Markup {
  readonly type: unknown;
  readonly props: object;
}

/** The children of an element. Text is escaped; `false`, `null` and `undefined` render nothing. */
export type Children = Markup | string | number | boolean | null | undefined | readonly Children[];

export declare const Fragment: (props: { readonly children?: Children }) => Markup;
export declare function jsx(type: unknown, props: object, key?: string): Markup;
export declare function jsxs(type: unknown, props: object, key?: string): Markup;
export declare function jsxDEV(type: unknown, props: object, key?: string): Markup;
/** Pieces of HTML, inserted as they are. */
export declare function h(type: string, props: object): Markup;
export declare function renderToString(markup: Markup): string;

export declare namespace JSX {
  type Element = Markup;
  type ElementType = keyof Elements | ((props: never) => Markup | null);
  interface ElementChildrenAttribute {
    readonly children: unknown;
  }
  interface IntrinsicAttributes {
    readonly key?: string | number;
  }
  type IntrinsicElements = { [Tag in keyof Elements]: Attributes<Elements[Tag]> };
}
