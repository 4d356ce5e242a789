/** @throws unless a database with this encoding stores every text as it is, and counts its characters */
export function checkEncoding(encoding: unknown): void {
  if (encoding === "UTF8") return;
  throw new Error(
    `its encoding is ${encoding}, but it must be UTF8: create it with createdb --encoding=UTF8 --template=template0`,
  );
}
