/** macOS's copies of attributes and its view of a folder; Windows's thumbnails and its view of a folder. */
const SYSTEM_FILE = /(?:^|\/)(?:__MACOSX\/|\._[^/]*$|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i;

/**
 * Whether a file was added to a folder or an archive by the operating system. It may be named like another file, but
 * has none of its text.
 */
export function isSystemFile(path: string): boolean {
  return SYSTEM_FILE.test(path);
}
