import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { temporaryFolder } from "../support/server.ts";
import type { EngineName } from "./stage.ts";

const ROOT = resolve(import.meta.dir, "../..");
/** What the program needs to run, besides its dependencies. */
const COPIED = ["src", "bin", "package.json", "tsconfig.json"];

/** A mistake put into the program: pieces of its source and what stands in their place. */
export interface Mutant {
  readonly name: string;
  /** Where it can be seen. */
  readonly engines: readonly EngineName[];
  readonly edits: readonly Edit[];
}

interface Edit {
  /** Below `src/`. */
  readonly file: string;
  /** Stands there exactly once. */
  readonly anchor: string;
  readonly replacement: string;
}

/** A copy of the program with the mistake in it. */
export function buildMutant(mutant: Mutant): { readonly command: string } & Disposable {
  const folder = temporaryFolder();
  for (const path of COPIED) cpSync(join(ROOT, path), join(folder.path, path), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder.path, "node_modules"));
  for (const [file, source] of mutatedSources(mutant)) writeFileSync(join(folder.path, "src", file), source);
  return { command: join(folder.path, "bin/commonplace"), [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

/** The files with the mistake, by their paths below `src/`. @throws when an anchor does not stand exactly once */
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
