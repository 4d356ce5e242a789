/** The elements that a script defines. */
const DEFINED = /customElements\.define\(\s*["']([\w-]+)["']/g;

/**
 * What does not fit between a page and its scripts: an element of ours that no loaded script defines, and a `data-`
 * attribute that no script and no style reads.
 * @param load reads a file that the page loads, by its address
 */
export async function unmetScripts(
  html: string,
  load: (address: string) => Promise<string>,
): Promise<string[]> {
  const addresses = [...html.matchAll(/<(?:script|link)\b[^>]* (?:src|href)="([^"]+\.(?:js|css))"/g)];
  const texts = await Promise.all(addresses.map(([, address = ""]) => load(address)));
  const elements = new Set([...html.matchAll(/<([a-z]+(?:-[a-z]+)+)[\s>]/g)].map(([, name = ""]) => name));
  const all = texts.join("\n");
  const defined = new Set([...all.matchAll(DEFINED)].map(([, name = ""]) => name));
  // What is found as one types is shown in the list, which the page of a missing link lacks.
  const isPlain = (name: string) => name === "find-as-you-type" && !html.includes('id="list"');
  const attributes = new Set([...html.matchAll(/ data-([a-z-]+)[\s=>]/g)].map(([, name = ""]) => name));
  const isRead = (name: string) =>
    all.includes(`data-${name}`) || new RegExp(`\\b${inScripts(name)}\\b`).test(all);
  return [
    ...[...elements]
      .filter((name) => !defined.has(name) && !isPlain(name))
      .map((name) => `no script for <${name}>`),
    ...[...attributes].filter((name) => !isRead(name)).map((name) => `nothing reads data-${name}`),
  ];
}

/** The name of a `data-` attribute in `dataset`. */
function inScripts(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
