import { renderMarkdown } from "./render-markdown.ts";
import type { RenderedPost } from "./rendered-post.ts";
import type { FromRenderWorker, RenderOrder } from "./renderer.ts";

/** The thread that renders posts, one request after another. */

declare const self: Worker;

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
