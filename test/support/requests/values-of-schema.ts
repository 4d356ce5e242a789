import fc from "fast-check";

/** The parts of JSON Schema (2020-12) that the OpenAPI document uses; another keyword is an error. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

/** Any text that the document's introduction allows: Unicode without U+0000 and unpaired surrogates. */
const anyCharacter = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
  fc.constantFrom("\n", "\t", "\u0001", "\u2028", " ", "#", ",", "<", "'", '"', "%", "\\", "e\u0301", "🦊"),
);

/** Values that a schema calls valid. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined)
    return fc.oneof(...choices.map((one) => valuesOf({ ...without(schema), ...one })));
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const { type } = schema;
  if (Array.isArray(type)) return fc.oneof(...type.map((one: string) => valuesOf({ ...schema, type: one })));
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: schema.minimum ?? -(2 ** 31), max: schema.maximum ?? 2 ** 31 });
    case "string":
      return texts(schema);
    case "array":
      return lists(schema);
    case "object":
      return objects(schema);
    default:
      throw new Error(`no values for ${JSON.stringify(schema)}`);
  }
}

function without({ anyOf: _, oneOf: __, ...others }: Schema): Schema {
  return others;
}

function texts({ format, pattern, minLength = 0, maxLength = 10_000 }: Schema): fc.Arbitrary<string> {
  const fits = (text: string) =>
    [...text].length >= minLength &&
    [...text].length <= maxLength &&
    (pattern === undefined || new RegExp(pattern, "u").test(text));
  switch (format) {
    case "uri":
    case "web-url":
      return fc.webUrl({ withQueryParameters: true, withFragments: true }).filter(fits);
    case "uuid":
      return fc.uuid();
    case "date-time":
    case "date":
      return fc
        .date({ min: new Date(0), max: new Date("9999-12-31T00:00:00Z"), noInvalidDate: true })
        .map((date) => date.toISOString())
        .map((text) => (format === "date" ? text.slice(0, 10) : text));
    case "search-query":
      return fc.constantFrom("fast", "fast #dev", '"a phrase" OR begin*', "-later after:2025-03");
    case undefined:
      break;
    default:
      throw new Error(`no values of the format ${format}`);
  }
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, "u")).filter(fits);
  const short = fc.string({ unit: anyCharacter, minLength, maxLength: Math.min(maxLength, minLength + 12) });
  const longest = fc.constantFrom("x", "é", "🦊").map((one) => one.repeat(maxLength));
  return fc.oneof({ weight: 6, arbitrary: short }, { weight: 1, arbitrary: longest });
}

function lists({ items = {}, minItems = 0, maxItems = 3, uniqueItems = false }: Schema) {
  const bounds = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) };
  return uniqueItems ? fc.uniqueArray(valuesOf(items), bounds) : fc.array(valuesOf(items), bounds);
}

function objects(schema: Schema): fc.Arbitrary<Record<string, unknown>> {
  const { properties, required = [], additionalProperties, propertyNames, maxProperties = 3 } = schema;
  if (properties === undefined && typeof additionalProperties === "object") {
    const names = valuesOf({ type: "string", ...propertyNames }) as fc.Arbitrary<string>;
    return fc.dictionary(names, valuesOf(additionalProperties), { maxKeys: Math.min(maxProperties, 3) });
  }
  const members = Object.entries(properties ?? {}).map(([name, member]) => [name, valuesOf(member)]);
  return fc.record(Object.fromEntries(members), { requiredKeys: [...required] });
}
