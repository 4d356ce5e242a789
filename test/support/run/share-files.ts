/** The part of its equal share that each process gets at first. The rest goes to the processes that finish first. */
const FIRST_SHARE = 0.8;

/**
 * Divides test files among parallel processes: first a long batch for each process, then short ones for those
 * that finish. So all end at about the same time, even if the durations are wrong.
 * @param durations of the files in the last run; a file without one counts as average
 * @returns non-empty batches in the order in which to start them, at most twice as many as processes
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
