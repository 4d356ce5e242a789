import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** How many tests of its area are run for a file. */
const OF_AREA = 12;
/** Tests of single files they are not, or they take minutes. */
const NEVER = /^test\/(?:faults|browser|build|clients|docs|mutants|service|shell)\//;
/** Words of paths that say nothing. */
const COMMON = /^(?:src|test|tsx?|contract|store|page|and|of|)$/;

/**
 * Finds the nearest tests of a file: those beside it or that import it, and those of its area, whose paths share the
 * rarest words with its own.
 * @param root the folder of the tree
 */
export function nearestTests(root: string): (file: string) => (readonly string[])[] {
  const tests = [...new Bun.Glob("{src,test}/**/*.test.{ts,tsx}").scanSync(root)].filter(
    (file) => !NEVER.test(file),
  );
  const importsOf = (test: string) =>
    [...readFileSync(join(root, test), "utf8").matchAll(/from "(\.[^"]+)"/g)].map(([, path = ""]) =>
      relative(root, join(root, dirname(test), path)),
    );
  const known = tests.map((test) => ({ test, words: wordsOf(test), imports: importsOf(test) }));
  const frequency = Map.groupBy(
    known.flatMap(({ words }) => words),
    (word) => word,
  );
  return (file) => {
    const words = wordsOf(file);
    const stem = file.replace(/\.\w+$/, ".");
    const scores = known.map(({ test, words: its, imports }) => ({
      test,
      isDirect: test.startsWith(stem) || imports.includes(file),
      score: words
        .filter((word) => its.includes(word))
        .reduce((sum, word) => sum + 1 / (frequency.get(word)?.length ?? 1), 0),
    }));
    const [direct, others] = [
      scores.filter(({ isDirect }) => isDirect),
      scores.filter(({ isDirect }) => !isDirect),
    ];
    const area = others
      .filter(({ test, score }) => test.startsWith("test/") && score > 0)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, OF_AREA);
    return [direct, area].map((group) => group.map(({ test }) => test)).filter((group) => group.length > 0);
  };
}

/** The words of a path, in the singular. */
function wordsOf(path: string): string[] {
  const words = path.split(/[/.-]/).map((word) => word.replace(/s$/, ""));
  return [...new Set(words)].filter((word) => !COMMON.test(word));
}
