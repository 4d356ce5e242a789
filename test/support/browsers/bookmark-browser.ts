/** The files that a browser writes of its bookmarks. */
export interface BrowserFiles {
  /** The export for other programs. */
  readonly html: string;
  /** The browser's own file. */
  readonly json: string;
}

/** A running browser with a profile of its own. */
export interface BrowserSession extends AsyncDisposable {
  readonly version: string;
  /** Makes bookmarks with the browser's own functions, and exports them. */
  makeOwn(): Promise<BrowserFiles>;
  /** Removes all bookmarks, imports a file, and exports what the browser made of it. */
  importAndExport(html: string): Promise<BrowserFiles>;
}

/** A browser that imports and exports bookmarks. */
export interface BookmarkBrowser {
  readonly name: string;
  /** The programs that are not installed here and that it needs. */
  readonly missing: readonly string[];
  start(): Promise<BrowserSession>;
}
