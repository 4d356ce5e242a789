/** macOS's copies of attributes and its view of a folder; Windows's thumbnails and its view of a folder. */
const SYSTEM_FILE = /(?:^|\/)(?:__MACOSX\/|\._[^/]*$|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i;

/** Whether an operating system has put a file into a folder or an archive, unasked. It has the name of another, but no text. */
export function isSystemFile(path: string): boolean {
  return SYSTEM_FILE.test(path);
}
