/** The statements of a migration that makes the index, comments and all: SQLite keeps them, and checks compare. */
export function splitStatements(script: string): string[] {
  return script
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}

/** The names of the tables that it makes. */
export function tablesIn(script: string): string[] {
  return [...script.matchAll(/^create (?:virtual )?table (\w+)/gm)].map(([, name = ""]) => name);
}
