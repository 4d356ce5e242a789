import { type BookmarkFormat, makeRow, paragraphs, plainText } from "../../bookmark-format.ts";
import { Folder } from "../../folder.ts";
import { readTree, type Tree } from "../browsers.ts";
import { lineOf, textOf } from "../json-lists.ts";
import type { JsonPosition, Treatment } from "../json-walk.ts";
import { tagsIn } from "../tags.ts";

/** Its names for the top folders of browsers. */
const CONTAINER = /^(?:\[xbs\] |_)(?:Menu|Mobile|Other|Toolbar)_?$/i;

const MEMBERS = ["id", "title", "url", "description", "tags", "children"];

/** A backup of xBrowserSync (src/modules/shared/backup-restore in its source). It has no dates; a separator has neither address nor children. */
export const xbrowsersync: BookmarkFormat = {
  name: "xbrowsersync",
  rowUnit: "bookmark",
  isUtf8: true,
  read: (reading) => readTree(reading, TREE),
};

const TREE: Tree = {
  members: MEMBERS,
  treat({ within, outer, isArray, name }: JsonPosition): Treatment {
    if (within === "item") return isArray && name === "children" ? "walk" : "keep";
    if (outer?.isArray) return "item";
    return isArray && name !== "bookmarks" ? "skip" : "walk";
  },
  folder({ members }, outer) {
    const title = plainText(textOf(members.title)).trim();
    return CONTAINER.test(title) ? Folder.root : outer.inner(title, false);
  },
  row(members, folder) {
    if (members.url === undefined) return null;
    return makeRow({
      url: lineOf(members.url),
      title: lineOf(members.title),
      description: paragraphs(textOf(members.description)),
      ...tagsIn(members.tags),
      folder,
    });
  },
};
