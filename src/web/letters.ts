/** The number of grounds of letters, which the style sheets have. */
export const GROUNDS = 6;

/** The letter that stands for a name where there is no picture; undefined for a name without any. */
export function letterOf(name: string): string | undefined {
  return /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase();
}

/** The ground of a name's letter: the same on every page. */
export function groundOf(name: string): number {
  let sum = 0;
  for (let index = 0; index < name.length; index++) sum = (31 * sum + name.charCodeAt(index)) % 65_521;
  return sum % GROUNDS;
}
