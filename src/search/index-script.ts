/** The statements of a migration that makes the index. */
export function statementsOf(script: string): string[] {
  return script
    .replace(/^\s*--.*$/gm, "")
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}

/** The names of the tables that it makes. */
export function tablesIn(script: string): string[] {
  return [...script.matchAll(/^create (?:virtual )?table (\w+)/gm)].map(([, name = ""]) => name);
}
