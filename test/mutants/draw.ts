import { join } from "node:path";
import { API, type Program } from "typescript/unstable/async";
import type { Random } from "../support/run/random.ts";
import { type Mistake, mistakesIn } from "./mistakes.ts";

/** Errors about names that are no longer used: whoever removes a line removes its import, too. */
const UNUSED = new Set([6133, 6138, 6192, 6196, 6198]);

/** A file with a mistake in it. */
export interface Mutant extends Mistake {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/**
 * Draws lines of these files by lot, and for each a mistake that changes the program and that the compiler lets pass in
 * the file itself.
 * @param root the folder of `tsconfig.json`
 */
export async function draw(
  root: string,
  files: readonly string[],
  count: number,
  random: Random,
): Promise<Mutant[]> {
  /** What stands instead of a file's text. */
  const instead = new Map<string, string>();
  const api = new API({ cwd: root, fs: { readFile: (path) => instead.get(path) } });
  const read = async (changed?: string): Promise<Program> => {
    const snapshot = await api.updateSnapshot(
      changed === undefined
        ? { openProjects: [join(root, "tsconfig.json")] }
        : { fileChanges: { changed: [changed] } },
    );
    const [project] = snapshot.getProjects();
    if (project === undefined) throw new Error("The compiler does not find tsconfig.json.");
    return project.program;
  };
  const isPossible = async ({ file, before, after }: Mutant) => {
    if (programOf(file, before) === programOf(file, after)) return false;
    const path = join(root, file);
    instead.set(path, after);
    const changed = await read(path);
    const errors = [
      ...(await changed.getSyntacticDiagnostics(path)),
      ...(await changed.getSemanticDiagnostics(path)),
    ];
    instead.delete(path);
    await read(path);
    return errors.every(({ code }) => UNUSED.has(code));
  };

  try {
    const program = await read();
    const lines: Mutant[][] = [];
    for (const file of files) {
      const source = await program.getSourceFile(join(root, file));
      if (source === undefined) continue;
      const { text: before } = source;
      const mutants = mistakesIn(source).map((mistake) => ({
        ...{ ...mistake, file, before },
        line: before.slice(0, mistake.start).split("\n").length,
        after: before.slice(0, mistake.start) + mistake.text + before.slice(mistake.end),
      }));
      lines.push(...Map.groupBy(mutants, ({ line }) => line).values());
    }
    const drawn: Mutant[] = [];
    while (drawn.length < count && lines.length > 0) {
      const [line = []] = lines.splice(random.below(lines.length), 1);
      // By kind first: of some kinds a line has many.
      const kinds = [...Map.groupBy(line, ({ kind }) => kind).values()];
      while (kinds.length > 0) {
        const [ofKind = []] = kinds.splice(random.below(kinds.length), 1);
        const mutant = random.pick(ofKind);
        if (!(await isPossible(mutant))) continue;
        drawn.push(mutant);
        break;
      }
    }
    return drawn;
  } finally {
    await api.close();
  }
}

/** What is left of a file without types, comments and white space; empty if it cannot be parsed. */
function programOf(file: string, text: string): string {
  const loader = file.endsWith("x") ? "tsx" : "ts";
  try {
    return new Bun.Transpiler({ loader, minifyWhitespace: true }).transformSync(text);
  } catch {
    return "";
  }
}

/** The place of a mistake and the lines that it changes. */
export function diff({ file, line, kind, before, after }: Mutant): string {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const least = Math.min(old.length, now.length);
  let [first, last] = [0, 0];
  while (old[first] === now[first] && first < least - 1) first++;
  while (old.at(-1 - last) === now.at(-1 - last) && last < least - 1 - first) last++;
  return [
    `${file}:${line}: ${kind}`,
    ...old.slice(first, old.length - last).map((text) => `- ${text}`),
    ...now.slice(first, now.length - last).map((text) => `+ ${text}`),
  ].join("\n");
}
