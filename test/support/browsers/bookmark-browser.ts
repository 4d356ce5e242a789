/** The bookmark files that a browser writes. */
export interface BrowserFiles {
  /** The export for other programs. */
  readonly html: string;
  /** The file in the browser's native format. */
  readonly json: string;
}

/** A running browser with a new profile. */
export interface BrowserSession extends AsyncDisposable {
  readonly version: string;
  /** Makes bookmarks with the browser's functions, and exports them. */
  makeOwn(): Promise<BrowserFiles>;
  /** Removes all bookmarks, imports a file, and exports the result. */
  importAndExport(html: string): Promise<BrowserFiles>;
}

/** A browser that imports and exports bookmarks. */
export interface BookmarkBrowser {
  readonly name: string;
  /** The required programs that are not installed on this machine. */
  readonly missing: readonly string[];
  start(): Promise<BrowserSession>;
}
