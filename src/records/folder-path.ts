/** The path of one unnamed folder, since an empty text means no path. */
const NAMELESS = "\\";

/** Joins folder names by `/`; inside a name, `/` and `\` are escaped with `\`. */
export function writeFolderPath(names: readonly string[]): string {
  if (names.length === 1 && names[0] === "") return NAMELESS;
  return names.map((name) => name.replaceAll(/[\\/]/g, "\\$&")).join("/");
}

/** Parses a path written by {@link writeFolderPath}; no names for an empty text. */
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
