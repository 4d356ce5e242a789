import { parse as parseToml, TomlError } from "smol-toml";
import { parseDocument } from "yaml";
import { messageOf } from "../../errors.ts";

/** A text file, split into front matter and text. */
export interface FrontMatter {
  /** The front matter; undefined when there is none. */
  readonly members: Readonly<Record<string, unknown>> | undefined;
  readonly content: string;
}

/** A syntax error in front matter; the message says which. */
export class FrontMatterError extends Error {
  /** The line of the file, from 1. */
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const FENCES: readonly { readonly fence: RegExp; readonly parse: (text: string) => unknown }[] = [
  { fence: /^---[ \t]*(?:yaml)?[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m, parse: yaml },
  { fence: /^\+\+\+[ \t]*\r?\n([\s\S]*?)^\+\+\+[ \t]*(?:\r?\n|$)/m, parse: toml },
];

/**
 * Splits the front matter off a text: YAML between `---`, TOML between `+++`, or a JSON object at its beginning.
 * @throws FrontMatterError
 */
export function frontMatterOf(given: string): FrontMatter {
  const text = given.replace(/^\ufeff/, "");
  for (const { fence, parse } of FENCES) {
    const found = fence.exec(text);
    if (found === null || found.index > 0) continue;
    return { members: membersOf(parse(found[1] ?? "")), content: text.slice(found[0].length) };
  }
  if (/^(?:---|\+\+\+)[ \t]*\r?\n\S+[ \t]*[:=]/.test(text))
    throw new FrontMatterError("The front matter is not closed.", 1);
  const json = /^\{\r?\n[\s\S]*?^\}[ \t]*(?:\r?\n|$)/m.exec(text);
  if (json === null || json.index > 0) return { members: undefined, content: text };
  return { members: membersOf(parseJson(json[0])), content: text.slice(json[0].length) };
}

function yaml(text: string): unknown {
  const document = parseDocument(text, { uniqueKeys: false });
  const [error] = document.errors;
  // Line 1 of the file is the fence.
  if (error !== undefined)
    throw new FrontMatterError(firstLine(error.message), (error.linePos?.[0].line ?? 0) + 1);
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new FrontMatterError(firstLine(messageOf(error)), 1);
  }
}

function toml(text: string): unknown {
  try {
    return parseToml(text);
  } catch (error) {
    throw new FrontMatterError(
      firstLine(messageOf(error)),
      (error instanceof TomlError ? error.line : 0) + 1,
    );
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FrontMatterError(messageOf(error), 1);
  }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === null || value === undefined) return {};
  if (typeof value === "object" && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>;
  throw new FrontMatterError("The front matter is not a mapping of names to values.", 1);
}

function firstLine(message: string): string {
  return message.split("\n")[0] ?? "";
}
