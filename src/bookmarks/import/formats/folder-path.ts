/** A path of one folder without a name; an empty text is no path. */
const NAMELESS = "\\";

/** Folder names as one text, with `/` between them; inside a name `\` stands before `/` and `\`. */
export function writeFolderPath(names: readonly string[]): string {
  if (names.length === 1 && names[0] === "") return NAMELESS;
  return names.map((name) => name.replaceAll(/[\\/]/g, "\\$&")).join("/");
}

/** The names that {@link writeFolderPath} has written; none for an empty text. */
export function readFolderPath(path: string): string[] {
  if (path === "") return [];
  const names: string[] = [];
  let name = "";
  for (let index = 0; index < path.length; index++) {
    const character = path.charAt(index);
    if (character === "/") {
      names.push(name);
      name = "";
    } else if (character === "\\") name += path.charAt(++index);
    else name += character;
  }
  return [...names, name];
}
