import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { responseHeader } from "./headers.ts";

const SECURITY_SCHEMES = {
  token: {
    type: "http",
    scheme: "bearer",
    description:
      "A token from `POST /api/token/` or the command line. The scheme can be `Bearer` or `Token`.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "commonplace_session",
    description:
      "The cookie from `POST /api/session/`. The browser sends it automatically: there is nothing to fill in.",
  },
};

export type Json = Readonly<Record<string, unknown>>;

/** The shared parts of an OpenAPI document, referred to by name. */
export class Components {
  readonly schemas: Record<string, Json> = {};
  readonly headers: Record<string, Json> = {};
  readonly responses: Record<string, Json> = {};
  securitySchemes?: Json;

  /**
   * A Zod schema as JSON Schema. Schemas with an id become components.
   * @param io requests are described by a schema's input, responses by its output
   * @throws Error when two different schemas have one id
   */
  schema(schema: z.ZodType, io: "input" | "output"): Json {
    const { $schema: _, $defs = {}, ...shape } = z.toJSONSchema(schema, { io, override: unescapeSlashes });
    for (const [id, definition] of Object.entries($defs)) this.#add(id, pointHere(definition));
    return pointHere(shape);
  }

  /** The headers of a response. */
  headersOf(names: readonly string[]): Json {
    return Object.fromEntries(
      names.map((name) => {
        this.headers[name] ??= responseHeader(name);
        return [name, { $ref: `#/components/headers/${name}` }];
      }),
    );
  }

  /** A shared response. */
  response(name: string, response: () => Json): Json {
    this.responses[name] ??= response();
    return { $ref: `#/components/responses/${name}` };
  }

  /** The security requirement of an operation. */
  security(scope: string | undefined): Json[] {
    this.securitySchemes ??= SECURITY_SCHEMES;
    return [{ token: scope === undefined ? [] : [scope] }, { session: [] }];
  }

  #add(id: string, schema: Json): void {
    const other = this.schemas[id];
    if (other !== undefined && !isDeepStrictEqual(other, schema))
      throw new Error(`two different schemas have the id ${id}`);
    this.schemas[id] = schema;
  }
}

/** A schema with its references redirected from itself (Zod's form) to the components. */
function pointHere(schema: unknown): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/** A slash is escaped in regular expressions of the source only; some generators of clients escape it again. */
function unescapeSlashes({ jsonSchema }: { jsonSchema: { pattern?: string } }): void {
  const { pattern } = jsonSchema;
  if (pattern !== undefined)
    jsonSchema.pattern = pattern.replace(/\\(.)/gs, (escaped, character) =>
      character === "/" ? "/" : escaped,
    );
}
