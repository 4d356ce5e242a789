import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { temporaryFolder } from "../support/server/server.ts";
import type { EngineName } from "./stage.ts";

const ROOT = resolve(import.meta.dir, "../..");
/** The files that the program needs to run, besides its dependencies. */
const COPIED = ["src", "bin", "package.json", "tsconfig.json"];

/** A mistake to build into the program: pieces of its source and their replacements. */
export interface Mutant {
  readonly name: string;
  /** The engines on which the mistake shows. */
  readonly engines: readonly EngineName[];
  readonly edits: readonly Edit[];
}

interface Edit {
  /** The path below `src/`. */
  readonly file: string;
  /** A text that occurs exactly once in the file. */
  readonly anchor: string;
  readonly replacement: string;
}

/** Makes a copy of the program with the mistake. */
export function buildMutant(mutant: Mutant): { readonly command: string } & Disposable {
  const folder = temporaryFolder();
  for (const path of COPIED) cpSync(join(ROOT, path), join(folder.path, path), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder.path, "node_modules"));
  for (const [file, source] of mutatedSources(mutant)) writeFileSync(join(folder.path, "src", file), source);
  return { command: join(folder.path, "bin/commonplace"), [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

/** The changed files, by their paths below `src/`. @throws when an anchor does not occur exactly once */
export function mutatedSources({ name, edits }: Mutant): Map<string, string> {
  const sources = new Map<string, string>();
  for (const { file, anchor, replacement } of edits) {
    const source = sources.get(file) ?? readFileSync(join(ROOT, "src", file), "utf8");
    const count = source.split(anchor).length - 1;
    if (count !== 1) throw new Error(`${name}: the anchor stands ${count} times in ${file}: ${anchor}`);
    sources.set(
      file,
      source.replace(anchor, () => replacement),
    );
  }
  return sources;
}
