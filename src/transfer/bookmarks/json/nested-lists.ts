import { Folder } from "../import-folder.ts";

/** A list of bookmarks that can be inside another one. */
export interface List {
  readonly name: string;
  readonly parentId: string | null;
}

/** The maximum depth of lists; this also ends cycles. */
const DEPTH_MAX = 20;

/** The folder of a list, made of the names of those around it. */
export function folderOfList(lists: ReadonlyMap<string, List>, id: string): Folder {
  const names: string[] = [];
  for (let at: string | null = id; at !== null && names.length < DEPTH_MAX; ) {
    const list = lists.get(at);
    if (list !== undefined) names.unshift(list.name);
    at = list?.parentId ?? null;
  }
  return names.reduce((folder, name) => folder.inner(name, false), Folder.root);
}
