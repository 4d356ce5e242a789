import {
  type BookmarkFormat,
  type FormatInput,
  type FormatName,
  type makeRow,
  WHOLE,
} from "../bookmark-format.ts";
import { Folder } from "../folder.ts";
import { LeftOut } from "../left-out.ts";
import { folderNote } from "../notes.ts";
import { brokenOff } from "./json-lists.ts";
import { type JsonItem, type JsonObject, type JsonPosition, type Treatment, walkJson } from "./json-walk.ts";

/** A list as a format has it. */
interface NestedList {
  readonly id: string;
  /** Null for one that is no folder. */
  readonly name: string | null;
  readonly parentId: string | null;
  /** Its description, which is named as left out. */
  readonly description?: string;
  /** Its tags, which all of its bookmarks get. */
  readonly tagNames?: readonly string[];
}

/** How the bookmarks of a format are read that are in lists inside an array of the outermost object. */
interface NestedReader {
  /** The name of the array of lists, and of the array of bookmarks in each. */
  readonly outer: string;
  readonly inner: string;
  /** The members of a bookmark that are read, or that say nothing to people. */
  readonly members: readonly string[];
  /** @param number of the list in the file */
  listOf(members: JsonObject, number: number): NestedList;
  toRow(members: JsonObject, folder: Folder): ReturnType<typeof makeRow>;
}

/** Since outer lists may follow inner ones, and names their bookmarks, the file is read twice. */
export function nestedFormat(name: FormatName, format: NestedReader): BookmarkFormat {
  return {
    name,
    rowUnit: "bookmark",
    isUtf8: true,
    async read(reading) {
      const lists = new Map<string, List>();
      const numbered = new Map<number, string>();
      const tagsOf = new Map<number, readonly string[]>();
      await walkNested(reading, format, ({ members, parent, number }) => {
        if (parent !== null) return;
        const { id, name, parentId, description = "", tagNames = [] } = format.listOf(members, number);
        numbered.set(number, id);
        if (tagNames.length > 0) tagsOf.set(number, tagNames);
        if (description.trim() !== "") reading.onNote(folderNote({ line: 1, name: name ?? id }));
        if (name !== null) lists.set(id, { name, parentId });
      });
      const folderOf = folders(lists);
      const leftOut = new LeftOut(format.members);
      let rows = 0;
      const syntaxError = await walkNested(reading, format, ({ members, parent }) => {
        if (parent === null) return;
        rows++;
        leftOut.look(members);
        const row = format.toRow(members, folderOf(numbered.get(parent.number) ?? ""));
        reading.onRow({ ...row, tagNames: [...row.tagNames, ...(tagsOf.get(parent.number) ?? [])] });
      });
      for (const note of leftOut.notes()) reading.onNote(note);
      return syntaxError === null ? WHOLE : brokenOff(rows, syntaxError);
    },
  };
}

function walkNested(
  { text }: FormatInput,
  { outer: lists, inner }: NestedReader,
  onItem: (item: JsonItem) => void,
): Promise<string | null> {
  const treat = ({ within, outer, isArray, name }: JsonPosition): Treatment => {
    if (within === null) return "walk";
    if (within === "item") return isArray && name === inner ? "walk" : "keep";
    if (outer?.isArray) return "item";
    return isArray && name === lists ? "walk" : "skip";
  };
  return walkJson(text, { treat, onItem });
}

/** A list of bookmarks that can be inside another one. */
export interface List {
  readonly name: string;
  readonly parentId: string | null;
}

/** The maximum depth of lists; this also ends cycles. */
const DEPTH_MAX = 20;

/** The folder of each list, made of the names of those around it. */
export function folders(lists: ReadonlyMap<string, List>): (id: string) => Folder {
  const known = new Map<string, Folder>();
  return (id) => {
    const folder = known.get(id) ?? folderOfList(lists, id);
    known.set(id, folder);
    return folder;
  };
}

function folderOfList(lists: ReadonlyMap<string, List>, id: string): Folder {
  const names: string[] = [];
  for (let at: string | null = id; at !== null && names.length < DEPTH_MAX; ) {
    const list = lists.get(at);
    if (list !== undefined) names.unshift(list.name);
    at = list?.parentId ?? null;
  }
  return names.reduce((folder, name) => folder.inner(name, false), Folder.root);
}
