import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { SIDE_FILES } from "./file.ts";

/** Why the file system does not let this user open a database, for the operator; undefined when it does. */
export function accessProblem(location: string): string | undefined {
  try {
    if (statSync(location).isDirectory()) return "it is a folder; name a file in it";
  } catch {
    // It does not exist yet, or its folder is closed to this user.
  }
  const files = [location, ...SIDE_FILES.map((suffix) => location + suffix), existingFolderOf(location)];
  for (const file of files) {
    const refused = refusalOf(file);
    if (refused === "EROFS") return `${file} is on a read-only file system`;
    if (refused === "EACCES" || refused === "EPERM")
      return `this user may not read and write ${file}; use the server's user, or change the owner or the mode`;
  }
  return undefined;
}

/** The code with which the system refuses to let this user read and write a file; undefined when it does not. */
function refusalOf(file: string): unknown {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : undefined;
  }
}

/** The folder of a file, or the innermost one above it that exists. */
function existingFolderOf(file: string): string {
  const folder = dirname(file);
  return existsSync(folder) || folder === dirname(folder) ? folder : existingFolderOf(folder);
}
