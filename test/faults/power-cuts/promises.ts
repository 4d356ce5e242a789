import { BACKUP, type Mark, type State, type Stored } from "./marks.ts";
import type { Operation } from "./operations.ts";

/** The records of a database, by name. */
export type Contents = ReadonlyMap<string, Stored>;

/** One state of a record or file. Times are numbers of operations. */
interface Step {
  state: State;
  /** When the change was requested, and when it was confirmed. */
  readonly sent: number;
  confirmed: number;
}

/** The states of a record or file, in order. */
type History = Step[];

/** The period from an empty database, or from a restore, until the next restore. */
interface Era {
  readonly begins: number;
  /** From this time on, the database must come from this era or a later one. */
  certain: number;
  readonly records: Map<string, History>;
}

const NEVER = Number.POSITIVE_INFINITY;

/** What clients and commands were promised during a recording: the basis for checks after a power cut. */
export class Promises {
  readonly #eras: Era[] = [{ begins: 0, certain: 0, records: new Map() }];
  readonly #backup: History = [{ state: null, sent: 0, confirmed: 0 }];
  /** The steps that the success of a request confirms, by request. */
  readonly #steps = new Map<string, Step[]>();
  readonly #restores = new Map<string, Era>();
  /** Groups of records that one command changes atomically. */
  readonly #groups: (readonly string[])[] = [];
  /** The ids that clients know, by name of the record. */
  readonly #ids = new Map<string, number>();
  #confirmed = 0;

  /** @throws when the promises contradict each other */
  constructor(operations: readonly Operation[]) {
    for (const [at, operation] of operations.entries()) {
      if (operation.kind === "response") this.#confirm(operation.request, at);
      else if (operation.kind === "mark") this.#note(operation.mark, at);
    }
    const ids = [...this.#ids].map(([name, id]) => `${name.split(" ")[0]} ${id}`);
    if (new Set(ids).size < ids.length) throw new Error("an id was given twice");
  }

  /** The number of confirmed requests and commands. */
  get confirmed(): number {
    return this.#confirmed;
  }

  /**
   * Compares the contents of a database after a power cut with the promises.
   * @returns the faults, and whether the contents come from a restore; then the database that it replaced
   *   must exist, too
   */
  compare(
    contents: Contents,
    at: number,
  ): { readonly faults: readonly string[]; readonly isRestored: boolean } {
    let faults: string[] = [];
    for (const era of this.#possibleEras(at)) {
      faults = this.#faultsIn(era, contents, at, at);
      if (faults.length === 0) return { faults, isRestored: era !== this.#eras[0] };
    }
    return { faults, isRestored: false };
  }

  /** Whether a restore is confirmed. */
  hasRestored(at: number): boolean {
    return this.#eras.some(({ certain }) => certain > 0 && certain <= at);
  }

  /** Like {@link compare}, for the database that the last restore replaced. */
  compareReplaced(contents: Contents, at: number): readonly string[] {
    const index = this.#eras.findLastIndex(({ begins }) => begins <= at);
    const replaced = this.#eras[index - 1];
    return replaced === undefined ? [] : this.#faultsIn(replaced, contents, at, at);
  }

  /** @param state the state of the backup's file */
  faultsOfBackup(state: State, at: number): string[] {
    if (possibleStates(this.#backup, at, at).includes(state)) return [];
    return [state === null ? "the backup is missing" : "the backup is not whole, or an old one"];
  }

  #possibleEras(at: number): Era[] {
    const first = this.#eras.findLastIndex(({ certain }) => certain <= at);
    return this.#eras.slice(Math.max(first, 0)).filter(({ begins }) => begins <= at);
  }

  /** The faults of the contents: what no moment in this time span explains. */
  #faultsIn(era: Era, contents: Contents, from: number, to: number): string[] {
    const faults: string[] = [];
    for (const [name, history] of era.records) {
      const state = contents.get(name)?.[0] ?? null;
      const possible = possibleStates(history, from, to);
      if (!possible.includes(state)) faults.push(`${name} ${faultOf(state, possible)}`);
    }
    for (const [name, [, id]] of contents) {
      if (!era.records.has(name)) faults.push(`${name} was never sent`);
      const known = this.#ids.get(name);
      if (known !== undefined && known !== id) faults.push(`${name} has the id ${id} instead of ${known}`);
    }
    for (const group of this.#groups) {
      const found = group.filter((name) => contents.has(name)).length;
      if (found > 0 && found < group.length)
        faults.push(`${found} of ${group.length} records of one import are stored`);
    }
    return faults;
  }

  #note(mark: Mark, at: number): void {
    if (mark.kind === "sent") this.#send(mark.request, mark.changes, at);
    else if (mark.kind === "restoring")
      this.#restore(mark.request, new Map(Object.entries(mark.contents)), at);
    else if (mark.kind === "answered") {
      if (this.#steps.has(mark.request))
        throw new Error(`the response to ${mark.request} is not in the trace`);
      if (mark.name !== undefined && mark.id !== undefined) this.#ids.set(mark.name, mark.id);
    } else {
      const backup = this.#backup.at(-1);
      if (mark.backup !== undefined && backup !== undefined) backup.state = mark.backup;
      this.#confirm(mark.request, at);
    }
  }

  #send(request: string, changes: Readonly<Record<string, State>>, at: number): void {
    const records = this.#eras.at(-1)?.records;
    const names = Object.keys(changes);
    if (names.length > 1) this.#groups.push(names);
    const steps = Object.entries(changes).map(([name, state]) => {
      const step = { state, sent: at, confirmed: NEVER };
      if (name === BACKUP) this.#backup.push(step);
      else {
        const history = records?.get(name) ?? [{ state: null, sent: 0, confirmed: 0 }];
        records?.set(name, [...history, step]);
      }
      return step;
    });
    this.#steps.set(request, steps);
  }

  #confirm(request: string, at: number): void {
    for (const step of this.#steps.get(request) ?? []) step.confirmed = at;
    const restored = this.#restores.get(request);
    if (restored !== undefined) restored.certain = at;
    if (this.#steps.delete(request) || restored !== undefined) this.#confirmed++;
  }

  /** @throws when the backup's contents match no moment while its command ran */
  #restore(request: string, contents: Contents, at: number): void {
    const [now, backup] = [this.#eras.at(-1), this.#backup.at(-1)];
    if (now === undefined || backup === undefined) throw new Error("Nothing to restore");
    const faults = this.#faultsIn(now, contents, backup.sent, backup.confirmed);
    if (faults.length > 0) throw new Error(`the backup is not of one moment: ${faults.join("; ")}`);
    const records = [...contents].map(([name, [state]]): [string, History] => [
      name,
      [{ state, sent: at, confirmed: at }],
    ]);
    const era = { begins: at, certain: NEVER, records: new Map(records) };
    this.#eras.push(era);
    this.#restores.set(request, era);
  }
}

/** The last state that was confirmed before a time span, and all states that were requested until its end. */
function possibleStates(history: History, from: number, to: number): State[] {
  const last = history.findLastIndex(({ confirmed }) => confirmed <= from);
  return history
    .filter(({ sent }, index) => index === last || (index > last && sent <= to))
    .map(({ state }) => state);
}

function faultOf(state: State, possible: readonly State[]): string {
  if (state === null) return "is missing";
  return possible.every((one) => one === null)
    ? "is back after it was deleted, or before it was sent"
    : "has other contents";
}
