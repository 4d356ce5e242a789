/** The statements of an SQL file, each with the comments above it. SQLite stores those within a statement. */
export function statementsIn(text: string): string[] {
  return text
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => withoutComments(statement) !== "");
}

/** A statement on one line, without its comments, for comparing. */
export function withoutComments(statement: string): string {
  return statement.replace(/--.*$/gm, "").replace(/\s+/g, " ").trim();
}

/** The definition of a table or index, for comparing: SQLite adds the text of a new column without the spaces of the schema. */
export function definitionOf(sql: string): string {
  return withoutComments(sql).replace(/ ?([(),]) ?/g, "$1");
}

/** The names of the tables that statements create. */
export function tablesIn(statements: readonly string[]): string[] {
  return statements.flatMap(
    (statement) => /^create (?:virtual )?table (\w+)/.exec(withoutComments(statement))?.[1] ?? [],
  );
}
