import { z } from "zod";
import { type AccessPolicy, authorize, tokenOf, unauthenticated } from "../../http/access.ts";
import type { Routes } from "../../http/endpoint.ts";
import { refuseForeignOrigin } from "../../http/guards/same-site.ts";
import { resourceMetadataUrl } from "../indieauth/protected-resource.ts";
import { linkTools } from "./link-tools.ts";
import { mcpOperations } from "./operation.ts";
import { postTools } from "./post-tools.ts";
import { tagTools } from "./tag-tools.ts";
import { type McpParts, onlyReads, type Tool } from "./tool.ts";

/** A message of JSON-RPC 2.0; batches are no part of the protocol any more. */
const Message = z.looseObject({});

/** Tokens alone count: pages of any site can send a session's cookie. */
const BY_TOKEN: AccessPolicy = {
  current({ request }) {
    if (tokenOf(request) === undefined) throw unauthenticated("Send a token: Authorization: Bearer KEY.");
    return { anonymous: false };
  },
  documented: { anonymous: false },
};

/**
 * The Model Context Protocol for agents (docs/agents.md), of 2026-07-28 and, without sessions, of 2025-11-25. A request is answered from
 * itself alone, so any process may.
 */
export function mcpApi({ copies, blog, cors, log, hasPages }: McpParts): Routes {
  const tools: readonly Tool[] = [
    ...(copies ? [...linkTools(copies), ...tagTools(copies.bookmarks)] : []),
    ...(blog ? postTools(blog) : []),
  ];
  const answer = mcpOperations(hasPages ? resourceMetadataUrl : undefined)(
    { access: BY_TOKEN, takesAssistants: true, maySkipWriting: true, body: Message },
    async ({ request, stamp, client, caller, body }) => {
      refuseForeignOrigin(request, client, cors);
      const { scopes } = caller;
      const wanted = tools.find((tool) => tool.name === calledTool(body));
      if (wanted !== undefined) {
        authorize(caller, accessTo(wanted));
        const obstacle = onlyReads(wanted) ? undefined : (copies ?? blog)?.database.obstacle();
        if (obstacle !== undefined) throw obstacle;
      }
      const allowed = tools.filter((tool) => tool.scopes.every((scope) => scopes.has(scope)));
      // Loaded on demand: a start does not pay for the package.
      const { serveMcp } = await import("./serve.ts");
      const call = { caller, request, stamp, origin: client.origin, hasPages };
      const response = await serveMcp({ tools: allowed, call, log }, body);
      const text = await response.text();
      return {
        status: response.status,
        body: text === "" ? null : text,
        contentType: response.headers.get("content-type") ?? "application/json",
      };
    },
  );
  return { "/mcp": { POST: answer } };
}

function accessTo({ scopes: [scope, ...alsoScopes] }: Tool) {
  return { scope, alsoScopes, anonymous: false };
}

/** The name of the tool that a message calls. */
function calledTool({ method, params }: z.output<typeof Message>): unknown {
  return method === "tools/call" ? (params as { name?: unknown } | undefined)?.name : undefined;
}
