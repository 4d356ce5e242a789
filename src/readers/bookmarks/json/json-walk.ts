import { type JSONParser, Tokenizer, TokenType } from "@streamparser/json";
import type { FileText } from "../../reading/file-text.ts";
import { FIELD_MAX } from "../bookmark-format.ts";

/** A value of JSON. Objects have no prototype, so that names of the file cannot clash with inherited ones. */
export type JsonValue = Scalar | readonly JsonValue[] | JsonObject;

type Scalar = string | number | boolean | null;

export interface JsonObject {
  readonly [name: string]: JsonValue | undefined;
}

/** An item: an object that is passed on once it is complete. */
export interface JsonItem {
  /** Its number among all items, in the order in which they begin, from 1. */
  readonly number: number;
  /** The name of its member; null in an array. */
  readonly name: string | null;
  /** The enclosing item, if any. */
  readonly parent: JsonItem | null;
  /** Its members, without nested lists of items. */
  readonly members: JsonObject;
  /** Whether it has a nested list of items. */
  readonly hasList: boolean;
}

/**
 * What to do with an object or array: look for items inside, pass it on as an item, keep it as a member of an item,
 * or skip it.
 */
export type Treatment = "walk" | "item" | "keep" | "skip";

/** The position of an object or array. */
export interface JsonPosition {
  readonly isArray: boolean;
  /** The name of its member; null inside an array and at the top level. */
  readonly name: string | null;
  /** The treatment of the enclosing value; null at the top level. */
  readonly within: Treatment | null;
  readonly outer: JsonPosition | null;
}

/** Decides what to do with each part of a file, and receives its items. */
export interface JsonVisitor {
  /** Called for each value that is not kept or skipped with the enclosing one. */
  treat(place: JsonPosition): Treatment;
  onItem(item: JsonItem): void;
  /** Called for each name of a traversed object. */
  onName?(name: string, place: JsonPosition): void;
}

/** The maximum depth: files of browsers are nested as deeply as their folders. */
const DEPTH_MAX = 5_000;
/** How much the open items may keep: the characters of their strings, and for each value as many as its object takes. */
export const KEPT_MAX = 8_000_000;
const VALUE_SIZE = 64;

/**
 * Reads JSON chunk by chunk, in constant memory: only the current item is kept. Several documents may follow each
 * other, like the pages of an API.
 * @returns a syntax error; null when all was read
 */
export async function walkJson(
  { pieces }: Pick<FileText, "pieces">,
  visitor: JsonVisitor,
): Promise<string | null> {
  const walk = new JsonWalk(visitor);
  for await (const piece of pieces()) {
    walk.write(piece);
    if (walk.syntaxError !== null) break;
  }
  return walk.end();
}

interface Frame extends JsonPosition {
  readonly treatment: Treatment;
  readonly outer: Frame | null;
  /** The item that contains it, or itself. */
  readonly item: OpenItem | null;
  /** The part of it that is kept. */
  readonly value: OpenObject | JsonValue[] | null;
  /** What was kept when it began. */
  readonly kept: number;
}

type OpenObject = Record<string, JsonValue>;

interface OpenItem extends JsonItem {
  readonly members: OpenObject;
  hasList: boolean;
}

type Expected = "value" | "value or end" | "name" | "name or end" | "colon" | "comma or end";

/** The traversal of one text. */
export class JsonWalk {
  readonly #visitor: JsonVisitor;
  readonly #tokenizer = new Tokenizer();
  #frame: Frame | null = null;
  #depth = 0;
  #items = 0;
  #kept = 0;
  #expected: Expected = "value";
  #name: string | null = null;
  #syntaxError: string | null = null;

  /** @param stringMax how much of a string is read, in characters */
  constructor(visitor: JsonVisitor, stringMax = FIELD_MAX) {
    this.#visitor = visitor;
    boundStrings(this.#tokenizer, stringMax);
    this.#tokenizer.onToken = ({ token, value }) => this.#take(token, value);
    this.#tokenizer.onError = () => this.#fail("This is not JSON");
  }

  /** The syntax error, if any. */
  get syntaxError(): string | null {
    return this.#syntaxError;
  }

  write(text: string): void {
    if (this.#syntaxError === null) this.#tokenizer.write(text);
  }

  end(): string | null {
    if (this.#syntaxError === null) {
      this.#tokenizer.onError = () => this.#fail("The file ends in the middle of a value");
      this.#tokenizer.end();
    }
    if (this.#syntaxError === null && this.#frame !== null) this.#fail("The JSON is incomplete");
    return this.#syntaxError;
  }

  #fail(message: string): void {
    this.#syntaxError ??= message;
  }

  #take(token: TokenType, value: unknown): void {
    if (this.#syntaxError !== null) return;
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET)
      this.#open(token === TokenType.LEFT_BRACKET);
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET)
      this.#close(token === TokenType.RIGHT_BRACKET);
    else if (token === TokenType.COLON) this.#colon();
    else if (token === TokenType.COMMA) this.#comma();
    else if (token === TokenType.STRING && this.#expected.startsWith("name")) this.#nameMember(String(value));
    else if (isScalar(value)) this.#scalar(value);
  }

  #colon(): void {
    if (this.#expected === "colon") this.#expected = "value";
    else this.#misplaced();
  }

  #comma(): void {
    if (this.#expected === "comma or end" && this.#frame !== null)
      this.#expected = this.#frame.isArray ? "value" : "name";
    else this.#misplaced();
  }

  #misplaced(): void {
    this.#fail("This is not JSON");
  }

  #nameMember(name: string): void {
    this.#name = name;
    this.#expected = "colon";
    if (this.#frame?.treatment === "walk") this.#visitor.onName?.(name, this.#frame);
  }

  #scalar(value: Scalar): void {
    const frame = this.#frame;
    if (!this.#expected.startsWith("value")) this.#misplaced();
    else if (frame?.treatment === "keep" || frame?.treatment === "item") this.#put(frame, value);
    // A value in place of an object counts as an empty object.
    else if (frame?.treatment === "walk" && frame.isArray) this.#visitor.onItem(this.#newItem(frame));
    this.#afterValue();
  }

  #open(isArray: boolean): void {
    if (!this.#expected.startsWith("value")) this.#misplaced();
    else if (++this.#depth > DEPTH_MAX) this.#fail("This is nested too deeply");
    else this.#enter(isArray);
  }

  #enter(isArray: boolean): void {
    const outer = this.#frame;
    const place = { isArray, name: this.#name, within: outer?.treatment ?? null, outer };
    const treatment = this.#treatmentOf(place);
    const opened = treatment === "item" ? this.#newItem(outer) : null;
    const item = opened ?? outer?.item ?? null;
    if (treatment === "walk" && outer?.treatment === "item" && item !== null) item.hasList = true;
    const value = opened?.members ?? (treatment === "keep" ? (isArray ? [] : noMembers()) : null);
    if (treatment === "keep" && outer !== null && value !== null) this.#put(outer, value);
    this.#frame = { ...place, treatment, item, value, kept: this.#kept };
    this.#name = null;
    this.#expected = isArray ? "value or end" : "name or end";
  }

  #treatmentOf(place: JsonPosition): Treatment {
    if (place.within === "skip") return "skip";
    if (place.within === "keep") return "keep";
    const asked = this.#visitor.treat(place);
    if (asked === "item" && place.isArray) return "skip";
    return asked === "keep" && place.within !== "item" ? "skip" : asked;
  }

  #newItem(outer: Frame | null): OpenItem {
    const number = ++this.#items;
    return { number, name: this.#name, parent: outer?.item ?? null, members: noMembers(), hasList: false };
  }

  #close(isArray: boolean): void {
    const frame = this.#frame;
    if (frame === null || frame.isArray !== isArray || !this.#expected.endsWith("end")) this.#misplaced();
    else this.#leave(frame);
  }

  #leave(frame: Frame): void {
    this.#frame = frame.outer;
    this.#depth--;
    if (frame.treatment === "item" && frame.item !== null) {
      this.#visitor.onItem(frame.item);
      this.#kept = frame.kept;
    }
    this.#afterValue();
  }

  #put(frame: Frame, value: JsonValue): void {
    this.#kept += VALUE_SIZE + (typeof value === "string" ? value.length : 0) + (this.#name?.length ?? 0);
    if (this.#kept > KEPT_MAX) this.#fail("A bookmark is larger than 8 MB");
    if (Array.isArray(frame.value)) frame.value.push(value);
    else if (frame.value !== null && this.#name !== null) (frame.value as OpenObject)[this.#name] = value;
  }

  #afterValue(): void {
    this.#name = null;
    this.#expected = this.#frame === null ? "value" : "comma or end";
  }
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

function noMembers(): OpenObject {
  return Object.create(null) as OpenObject;
}

/**
 * Makes a tokenizer stop gathering a string or number at a length, and go on with what follows it. It also keeps the byte
 * order marks inside strings, which the tokenizer drops (0.0.26).
 *
 * @param max in characters
 */
export function boundStrings(of: Tokenizer | JSONParser, max: number): void {
  const { tokenizer = of } = of as { readonly tokenizer?: unknown };
  Object.assign(tokenizer as object, {
    bufferedString: new BoundedString(max),
    bufferedNumber: new BoundedString(max),
  });
}

/** Gathers the text of a string or number, as the tokenizer asks for it. */
class BoundedString {
  /** The tokenizer counts its place in the file with this. */
  byteLength = 0;
  readonly #max: number;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #text = "";

  constructor(max: number) {
    this.#max = max;
  }

  appendChar(code: number): void {
    this.byteLength += 1;
    this.appendCharCode(code);
  }

  appendBuf(bytes: Uint8Array, start = 0, end = bytes.length): void {
    this.byteLength += end - start;
    // What is dropped is checked, too.
    const text = this.#decoder.decode(bytes.subarray(start, end));
    if (this.#text.length < this.#max) this.#text += text;
  }

  appendCharCode(code: number): void {
    if (this.#text.length < this.#max) this.#text += String.fromCharCode(code);
  }

  reset(): void {
    this.#text = "";
    this.byteLength = 0;
  }

  toString(): string {
    return this.#text;
  }
}
