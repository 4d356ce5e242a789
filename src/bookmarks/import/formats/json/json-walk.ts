import { Tokenizer, TokenType } from "@streamparser/json";
import type { FileText } from "../../import-text.ts";

/** A value of JSON. Objects have no prototype, so that no name of the file means anything else. */
export type JsonValue = Scalar | readonly JsonValue[] | JsonObject;

type Scalar = string | number | boolean | null;

export interface JsonObject {
  readonly [name: string]: JsonValue | undefined;
}

/** An object that is handed over once it is complete. */
export interface JsonItem {
  /** Its place among all items, in the order in which they begin, from 1. */
  readonly number: number;
  /** The name of the member that it is the value of; null in a list. */
  readonly name: string | null;
  /** The item around it, if it is in a list of one. */
  readonly parent: JsonItem | null;
  /** Its members, without the lists of items inside it. */
  readonly members: JsonObject;
  /** Whether a list of items is inside it. */
  readonly hasList: boolean;
}

/** What to do with an object or array: look for items inside, hand it over, make it a member of an item, or pass over it. */
export type Treatment = "walk" | "item" | "keep" | "skip";

/** Where an object or array stands. */
export interface JsonPlace {
  readonly isArray: boolean;
  /** The name of the member that it is the value of; null inside an array and outermost. */
  readonly name: string | null;
  /** How what is around it is treated; null outermost. */
  readonly within: Treatment | null;
  readonly outer: JsonPlace | null;
}

/** Is asked what to do with each part of a file, and gets its items. */
export interface JsonVisitor {
  /** Asked for what is neither kept nor skipped with what is around it. */
  treat(place: JsonPlace): Treatment;
  onItem(item: JsonItem): void;
  /** A name of an object that is walked through. */
  onName?(name: string, place: JsonPlace): void;
}

/** Files of browsers are nested as deeply as their folders. */
const DEPTH_MAX = 5_000;

/**
 * Reads JSON piece by piece, in memory that does not grow with it: only the item under way is kept. Documents may
 * follow each other, as the pages of an API do.
 * @returns why the text is no JSON from some place on; null when all of it was read
 */
export async function walkJson(
  { pieces }: Pick<FileText, "pieces">,
  visitor: JsonVisitor,
  pause: () => Promise<void>,
): Promise<string | null> {
  const walk = new JsonWalk(visitor);
  for (const piece of pieces()) {
    walk.write(piece);
    await pause();
    if (walk.fault !== null) break;
  }
  return walk.end();
}

interface Frame extends JsonPlace {
  readonly treatment: Treatment;
  readonly outer: Frame | null;
  /** The item that it is or is inside of. */
  readonly item: OpenItem | null;
  /** The part of it that is kept. */
  readonly value: OpenObject | JsonValue[] | null;
}

type OpenObject = Record<string, JsonValue>;

interface OpenItem extends JsonItem {
  readonly members: OpenObject;
  hasList: boolean;
}

/**
 * The tokenizer drops byte order marks inside strings, since it decodes them with a decoder that does (0.0.26). This stands
 * for them until they are out again: half a character, which no text has that is stored here.
 */
const MARK_STAND_IN = "\\udfff";

type Expected = "value" | "value or end" | "name" | "name or end" | "colon" | "comma or end";

/** Walks through one text. */
export class JsonWalk {
  readonly #visitor: JsonVisitor;
  readonly #tokenizer = new Tokenizer();
  #frame: Frame | null = null;
  #depth = 0;
  #items = 0;
  #expected: Expected = "value";
  #name: string | null = null;
  #fault: string | null = null;

  constructor(visitor: JsonVisitor) {
    this.#visitor = visitor;
    this.#tokenizer.onToken = ({ token, value }) => this.#take(token, value);
    this.#tokenizer.onError = () => this.#fail("This is no JSON");
  }

  /** Why the text is no JSON; null while it is. */
  get fault(): string | null {
    return this.#fault;
  }

  write(text: string): void {
    if (this.#fault === null) this.#tokenizer.write(text.replaceAll("\ufeff", MARK_STAND_IN));
  }

  end(): string | null {
    if (this.#fault === null) {
      this.#tokenizer.onError = () => this.#fail("The file ends in the middle of a value");
      this.#tokenizer.end();
    }
    if (this.#fault === null && this.#frame !== null) this.#fail("The file ends before its JSON does");
    return this.#fault;
  }

  #fail(fault: string): void {
    this.#fault ??= fault;
  }

  #take(token: TokenType, value: unknown): void {
    if (this.#fault !== null) return;
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET)
      this.#open(token === TokenType.LEFT_BRACKET);
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET)
      this.#close(token === TokenType.RIGHT_BRACKET);
    else if (token === TokenType.COLON) this.#colon();
    else if (token === TokenType.COMMA) this.#comma();
    else if (token === TokenType.STRING && this.#expected.startsWith("name")) this.#nameMember(String(value));
    else if (typeof value === "string") this.#scalar(value.replaceAll(/\udfff/gu, "\ufeff"));
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
    this.#fail("This is no JSON");
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
    // In the position of an object: it counts as an empty one.
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
    this.#frame = { ...place, treatment, item, value };
    this.#name = null;
    this.#expected = isArray ? "value or end" : "name or end";
  }

  #treatmentOf(place: JsonPlace): Treatment {
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
    if (frame.treatment === "item" && frame.item !== null) this.#visitor.onItem(frame.item);
    this.#afterValue();
  }

  #put(frame: Frame, value: JsonValue): void {
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
