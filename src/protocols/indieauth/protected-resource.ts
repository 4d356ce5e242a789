/** Where assistants read how to get a token (RFC 9728): for the address of theirs, and for the whole site. */
export const RESOURCE_METADATA = {
  mcp: "/.well-known/oauth-protected-resource/mcp",
  site: "/.well-known/oauth-protected-resource",
} as const;

/** The address of assistants, which they send as the resource that a token is for (RFC 8707). */
export function assistantResource(origin: string): string {
  return `${origin}/mcp`;
}

/** Whether a value of `resource` is this address: clients write scheme and host as they like, and may end it with a slash. */
export function isAssistantResource(value: string, origin: string): boolean {
  return URL.parse(value)?.href.replace(/\/$/, "") === assistantResource(origin);
}

/** For `resource_metadata` in the `WWW-Authenticate` of an assistant that is refused. */
export function resourceMetadataUrl(origin: string): string {
  return origin + RESOURCE_METADATA.mcp;
}
