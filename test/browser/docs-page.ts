import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";

/** A response as the page shows it. */
export interface ShownResponse {
  readonly status: string;
  /** Parsed; undefined when none is shown. */
  readonly body: unknown;
}

/** The documentation page, open in a browser, and what the browser noted of it. */
export class DocsPage {
  readonly page: Page;
  /** Warnings and errors, including violations of the Content-Security-Policy. */
  readonly complaints: string[] = [];
  /** The URL of every request, also of those that were not let through. */
  readonly requests: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.on("console", (message) => {
      if (message.type() !== "log") this.complaints.push(`${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    page.on("request", (request) => this.requests.push(request.url()));
  }

  /** Opens the page of the server at `url`, and resolves when it shows its operations. */
  static async open(
    browser: Browser,
    url: string,
    options: BrowserContextOptions = {},
    query = "",
  ): Promise<DocsPage> {
    const context = await browser.newContext(options);
    const docs = new DocsPage(await context.newPage());
    await docs.page.goto(`${url}/docs${query}`);
    await docs.shown();
    return docs;
  }

  async shown(): Promise<void> {
    await this.page.locator(".opblock").first().waitFor();
  }

  /** The block of an operation, closed or open. */
  block(operationId: string): Locator {
    return this.page.locator(`.opblock[id$="-${operationId}"]`);
  }

  /** Opens the block of an operation. */
  async unfold(operationId: string): Promise<Locator> {
    const block = this.block(operationId);
    await block.locator(".opblock-summary-control").click();
    await block.locator(".execute").waitFor();
    return block;
  }

  /** Signs in with a token, as a person would: the button, the field, and away with the dialog. */
  async authorize(token: string): Promise<void> {
    await this.page.locator(".auth-wrapper .btn.authorize").click();
    const dialog = this.page.locator(".modal-ux");
    await dialog.locator("input").first().fill(token);
    await dialog.locator("button[type=submit].authorize").first().click();
    await dialog.locator(".btn-done").first().click();
  }

  /** Executes an operation that is unfolded, and returns the response to this time. */
  async executeAgain(operationId: string): Promise<ShownResponse> {
    const block = this.block(operationId);
    await block.locator(".btn-clear").click();
    await block.locator(".execute").click();
    return this.answerOf(operationId);
  }

  /** Unfolds an operation, executes it, and returns the response; the path's `id` is filled in when given. */
  async execute(operationId: string, id?: number): Promise<ShownResponse> {
    const block = await this.unfold(operationId);
    if (id !== undefined) await block.locator('tr[data-param-name="id"] input').fill(String(id));
    await block.locator(".execute").click();
    return this.answerOf(operationId);
  }

  /** Shows the first schema of an unfolded operation, and the section of all schemas. */
  async unfoldSchemas(): Promise<void> {
    await this.page.getByRole("tab", { name: "Schema" }).first().click();
    await this.page.locator(".opblock-body .json-schema-2020-12").first().waitFor();
    await this.page.locator(".models-control").click();
    await this.page.locator(".models .json-schema-2020-12").first().waitFor();
  }

  /** The response that the block of an operation shows, as soon as it does. */
  async answerOf(operationId: string): Promise<ShownResponse> {
    const answer = this.block(operationId).locator(".live-responses-table .response");
    await answer.waitFor();
    const [status = ""] = await answer.locator(".response-col_status").allTextContents();
    const [body] = await answer.locator(".highlight-code pre").allTextContents();
    return { status, body: body && JSON.parse(body) };
  }

  /**
   * Presses Tab until an element of an operation's block has the focus.
   * @throws Error when Tab does not lead there
   */
  async tabTo(operationId: string, selector: string): Promise<void> {
    const focused = this.block(operationId).locator(`${selector}:focus`);
    for (let presses = 0; presses < 100; presses++) {
      await this.page.keyboard.press("Tab");
      if ((await focused.count()) > 0) return;
    }
    throw new Error(`Tab does not lead to ${selector} of ${operationId}`);
  }

  /** Closes the page, and everything that its browser kept for it. */
  close(): Promise<void> {
    return this.page.context().close();
  }
}
