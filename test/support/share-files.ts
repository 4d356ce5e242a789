/** What a process gets at first, of its equal share; the rest goes to those that are done first. */
const FIRST_SHARE = 0.8;

/**
 * Shares test files out over processes that run side by side: a long batch for each of them at first, then short ones
 * for those that are done, so that all end at about the same time however wrong the durations are.
 * @param durations of the files in the last run; one without is taken for an average one
 * @returns batches in the order in which they are to be started, twice as many as processes, none of them empty
 */
export function shareFiles(
  files: readonly string[],
  durations: ReadonlyMap<string, number>,
  processes: number,
): string[][] {
  const known = files.flatMap((file) => durations.get(file) ?? []);
  const average = known.length === 0 ? 1 : sum(known) / known.length;
  const durationOf = (file: string) => durations.get(file) ?? average;
  const total = sum(files.map(durationOf));
  const make = (share: number) =>
    Array.from({ length: processes }, () => ({ files: [] as string[], free: (total / processes) * share }));
  const first = make(FIRST_SHARE);
  const later = make(1 - FIRST_SHARE);
  for (const file of files.toSorted((one, other) => durationOf(other) - durationOf(one))) {
    const duration = durationOf(file);
    const [roomiest] = first.toSorted((one, other) => other.free - one.free);
    const batch =
      roomiest !== undefined && roomiest.free >= duration
        ? roomiest
        : [...first, ...later].toSorted((one, other) => other.free - one.free)[0];
    if (batch === undefined) continue;
    batch.files.push(file);
    batch.free -= duration;
  }
  return [...first, ...later].map((batch) => batch.files).filter((batch) => batch.length > 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
