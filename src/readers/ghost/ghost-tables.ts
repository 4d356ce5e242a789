import { JSONParser } from "@streamparser/json";
import { messageOf, StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";
import { boundStrings } from "../bookmarks/json/json-walk.ts";
import { type FileTree, utf8Pieces } from "../files/file-tree.ts";
import { flagOf, type Mark } from "../reading/foreign-visibility.ts";
import type { RawItems } from "../reading/raw-items.ts";

const TABLES = ["posts", "posts_meta", "posts_tags", "tags", "posts_authors", "users"] as const;
/** How much of a text is read, in characters: more than a post may have. */
const TEXT_MAX = 16 * 1024 * 1024;
/** Tables of an export that are not imported. */
const NOT_TAKEN = [
  "members",
  "comments",
  "newsletters",
  "products",
  "offers",
  "snippets",
  "settings",
  "custom_theme_settings",
];

/** What the tables say that are not imported. */
interface OtherTables {
  /** Their names, without empty ones. */
  readonly others: readonly string[];
  /** Settings by which a whole site is closed. */
  readonly marks: readonly Mark[];
}

/** Stores the rows of the tables that are imported, under the names of their tables. */
export async function readGhostTables(tree: FileTree, path: string, items: RawItems): Promise<OtherTables> {
  const others = new Set<string>();
  const marks: Mark[] = [];
  const names = [...TABLES, ...NOT_TAKEN];
  const paths = names.flatMap((name) => [`$.db.*.data.${name}.*`, `$.data.${name}.*`]);
  const parser = new JSONParser({ paths, keepStack: false });
  boundStrings(parser, TEXT_MAX);
  let failure: Error | undefined;
  parser.onError = (error) => {
    failure ??= error;
  };
  parser.onValue = ({ value, stack }) => {
    const table = String(stack.at(-1)?.key);
    if (table === "settings" && marks.length === 0) marks.push(...closingSettings(value));
    if (NOT_TAKEN.includes(table)) others.add(table);
    else store(items, table, value as Readonly<Record<string, unknown>>);
  };
  let line = 1;
  for await (const piece of utf8Pieces(tree, path)) {
    // Line by line, so that errors have a line number; a whole export may be one line.
    for (const part of piece.split(/(?<=\n)/)) {
      try {
        parser.write(part);
      } catch (error) {
        failure ??= error instanceof Error ? error : new Error(messageOf(error));
      }
      if (failure !== undefined) break;
      if (part.endsWith("\n")) line++;
    }
    if (failure !== undefined) break;
  }
  if (failure === undefined && !parser.isEnded) failure = new Error("The file ends in the middle");
  if (failure !== undefined)
    throw new StartError(
      `${printable(path)}, line ${line}: not JSON (${printable(failure.message)}). Nothing was imported.`,
      2,
      failure,
    );
  return { others: [...others], marks };
}

/** A private site is shown to those who know its password. */
function closingSettings(row: unknown): Mark[] {
  const { key, value } = (row ?? {}) as Readonly<Record<string, unknown>>;
  const isClosed = key === "is_private" && value != null && value !== "" && flagOf(value) !== false;
  return isClosed ? [{ name: "is_private", value, from: "the settings of Ghost", hides: true }] : [];
}

function store(items: RawItems, table: string, value: Readonly<Record<string, unknown>>): void {
  if (typeof value !== "object" || value === null) return;
  const key = value.id === undefined ? null : String(value.id);
  const parent = value.post_id === undefined ? null : String(value.post_id);
  items.add(table, value, { key, parent, rank: Number(value.sort_order) || 0 });
}
