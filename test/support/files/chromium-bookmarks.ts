/** A folder in a browser, or a link, which has no contents. */
export interface Node {
  readonly name: string;
  readonly inner?: Node[];
}

interface Entry {
  readonly name: string;
  readonly path: string[];
  readonly isOnToolbar: boolean;
}

const HEADING = /^<DT><H3([^>]*)>(.*)<\/H3>$/;
const LINK = /^<DT><A [^>]*>(.*)<\/A>$/;

/**
 * The toolbar of an empty profile after Chromium has imported a file. Chromium reads it line by line
 * (chrome/utility/importer/bookmark_html_reader.cc) and makes folders
 * (chrome/browser/importer/profile_writer.cc). Anything outside the file's toolbar goes to a folder
 * `Imported`.
 */
export function importIntoChromium(html: string): Node[] {
  const entries = readLines(html);
  const toolbar: Node[] = [];
  const hasToolbar = entries.some(({ isOnToolbar }) => isOnToolbar);
  for (const entry of [...entries.filter((e) => e.isOnToolbar), ...entries.filter((e) => !e.isOnToolbar)]) {
    const isDirect = !hasToolbar || entry.isOnToolbar;
    let into = isDirect ? toolbar : folderIn(toolbar, "Imported");
    for (const name of entry.isOnToolbar ? entry.path.slice(1) : entry.path) into = folderIn(into, name);
    into.push({ name: entry.name });
  }
  return toolbar;
}

/**
 * The file that Chromium exports: the toolbar as a marked folder, followed by the other bookmarks without a
 * folder.
 */
export function exportFromChromium(toolbar: readonly Node[], other: readonly Node[]): string {
  const bar = `<DT><H3 ADD_DATE="1" PERSONAL_TOOLBAR_FOLDER="true">Bookmarks bar</H3>\n<DL><p>\n${listed(toolbar)}</DL><p>\n`;
  return `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<H1>Bookmarks</H1>\n<DL><p>\n${bar}${listed(other)}</DL><p>\n`;
}

function listed(nodes: readonly Node[]): string {
  const lines = nodes.map(({ name, inner }) =>
    inner === undefined
      ? `<DT><A HREF="https://example.com/${name}" ADD_DATE="1456433748">${name}</A>\n`
      : `<DT><H3 ADD_DATE="1">${name}</H3>\n<DL><p>\n${listed(inner)}</DL><p>\n`,
  );
  return lines.join("");
}

function readLines(html: string): Entry[] {
  const entries: Entry[] = [];
  const path: string[] = [];
  let last: { readonly name: string; readonly isToolbar: boolean } | null = null;
  let toolbarAt = 0;
  for (const line of html.split("\n").map((text) => text.trim())) {
    const [, attributes = "", name = ""] = HEADING.exec(line) ?? [];
    const [, title] = LINK.exec(line) ?? [];
    if (HEADING.test(line)) last = { name, isToolbar: attributes.includes('PERSONAL_TOOLBAR_FOLDER="true"') };
    else if (title !== undefined) {
      const own = toolbarAt > 0 ? path.slice(toolbarAt - 1) : [...path];
      entries.push({ name: title, path: own, isOnToolbar: toolbarAt > 0 });
    } else if (line.startsWith("<DL>")) {
      if (last !== null) path.push(last.name);
      if (last?.isToolbar && toolbarAt === 0) toolbarAt = path.length;
      last = null;
    } else if (line.startsWith("</DL>")) {
      if (path.pop() === undefined) break;
      if (toolbarAt > path.length) toolbarAt = 0;
    }
  }
  return entries;
}

function folderIn(nodes: Node[], name: string): Node[] {
  const found = nodes.find((node) => node.inner !== undefined && node.name === name);
  if (found?.inner !== undefined) return found.inner;
  const inner: Node[] = [];
  nodes.push({ name, inner });
  return inner;
}
