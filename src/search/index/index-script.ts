/** The statements of an index migration, with their comments: SQLite stores them, and schema checks compare them. */
export function splitStatements(script: string): string[] {
  return script
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}

/** The names of the tables that the script creates. */
export function tablesIn(script: string): string[] {
  return [...script.matchAll(/^create (?:virtual )?table (\w+)/gm)].map(([, name = ""]) => name);
}
