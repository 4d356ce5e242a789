import { weightsOf } from "../http/encoding/content-coding.ts";

/**
 * Whether a client prefers Markdown to HTML (RFC 9110, section 12.5.1): it must name `text/markdown`, as programs do and no
 * browser does.
 */
export function prefersMarkdown(request: Request): boolean {
  const wanted = weightsOf(request.headers.get("accept") ?? "");
  const markdown = wanted.get("text/markdown") ?? 0;
  return (
    markdown > 0 && markdown >= (wanted.get("text/html") ?? wanted.get("text/*") ?? wanted.get("*/*") ?? 0)
  );
}
