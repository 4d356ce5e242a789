import { renderMarkdown } from "./render-markdown.ts";
import type { ImageSize, RenderedPost } from "./rendered-post.ts";

/** The thread that renders posts, one request after another. */

declare const self: Worker;

/** A message to the thread. */
export interface RenderOrder {
  readonly text: string;
  readonly sizes: ReadonlyMap<string, ImageSize>;
}

/** A message from the thread: `ready` once, then a post for each request; undefined when it could not be rendered. */
export type FromRenderWorker = "ready" | { readonly rendered: RenderedPost | undefined };

self.onmessage = ({ data }: MessageEvent<RenderOrder>) => send({ rendered: rendered(data) });
send("ready");

function rendered({ text, sizes }: RenderOrder): RenderedPost | undefined {
  try {
    return renderMarkdown(text, sizes);
  } catch {
    // The text is nested too deeply for the stack.
    return undefined;
  }
}

function send(message: FromRenderWorker): void {
  self.postMessage(message);
}
