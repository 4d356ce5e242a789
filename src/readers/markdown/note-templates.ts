import { type FileTree, readTreeFile } from "../files/file-tree.ts";

/** The files in which Obsidian and its plugin Templater store where templates are, and the member for it. */
const SETTINGS: Readonly<Record<string, string>> = {
  "templates.json": "folder",
  "daily-notes.json": "template",
  "plugins/templater-obsidian/data.json": "templates_folder",
};

const SETTINGS_MAX = 1024 * 1024;

/** Whether a folder or archive is a vault of Obsidian, or contains one. */
export function isVault({ sizes }: FileTree): boolean {
  return [...sizes.keys()].some((path) => /(?:^|\/)\.obsidian\//.test(path));
}

/**
 * Finds the templates of notes: those in the folders that the vault's settings name, and in folders that are called
 * templates.
 * @returns whether a path is one
 */
export async function findTemplates(tree: FileTree): Promise<(path: string) => boolean> {
  const places: string[] = [];
  for (const path of tree.sizes.keys()) {
    const [, vault = "", name = ""] = /^(|.*\/)\.obsidian\/(.+)$/s.exec(path) ?? [];
    const member = SETTINGS[name];
    if (member === undefined) continue;
    const place = textMember(String(await readTreeFile(tree, path, SETTINGS_MAX)), member);
    if (place !== "") places.push(vault + place);
  }
  return (path) =>
    /(?:^|\/)_?templates?\//i.test(path) ||
    places.some((place) => path === `${place}.md` || path.startsWith(`${place}/`));
}

/** A path in a JSON object, without slashes around it; empty if there is none. */
function textMember(json: string, name: string): string {
  try {
    const value = (JSON.parse(json) as Readonly<Record<string, unknown>> | null)?.[name];
    return typeof value === "string" ? value.split("/").filter(Boolean).join("/") : "";
  } catch {
    return "";
  }
}
