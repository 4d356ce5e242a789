import { parse } from "acorn";

/** The name of the counter in code that counts its steps. */
export const COUNTER = "$steps";

/**
 * JavaScript that counts its steps: one for each call of a function and for each round of a loop, those of the methods in
 * `methods` by what they look at, and those of spread values by their members.
 *
 * @param methods names of methods, which are called by way of `$steps.methods`
 */
export function countedCode(code: string, methods: ReadonlySet<string>): string {
  const insertions: { readonly at: number; readonly order: number; readonly text: string }[] = [];
  const replaced: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  const insert = (at: number, text: string, order: number) => insertions.push({ at, order, text });
  const around = ({ start, end }: Node, before: string, after: string, depth: number) => {
    insert(start, before, depth);
    insert(end, after, -depth);
  };
  const countIn = (body: Node, depth: number, isExpression: boolean) => {
    if (isExpression) around(body, `(${COUNTER}.count++, `, ")", depth);
    else if (body.type === "BlockStatement") insert(body.start + 1, `${COUNTER}.count++;`, depth);
    else around(body, `{ ${COUNTER}.count++; `, " }", depth);
  };
  const visit = (value: unknown, depth: number) => {
    if (Array.isArray(value)) for (const each of value) visit(each, depth);
    if (!isNode(value)) return;
    const { type, body, callee, argument } = value;
    if (LOOPS.has(type) && isNode(body)) countIn(body, depth, false);
    if (FUNCTIONS.has(type) && isNode(body)) countIn(body, depth, body.type !== "BlockStatement");
    if (type === "SpreadElement" && isNode(argument)) around(argument, `${COUNTER}.all(`, ")", depth);
    if (type === "CallExpression" && callee?.type === "MemberExpression" && !callee.computed) {
      const { object, property, optional } = callee;
      if (
        isNode(object) &&
        object.type !== "Super" &&
        property?.type === "Identifier" &&
        methods.has(property.name ?? "")
      ) {
        const dot = code.lastIndexOf(optional ? "?." : ".", property.start);
        replaced.push({
          start: dot,
          end: property.end,
          text: `${optional ? "?." : ""}[${COUNTER}.methods.${property.name}]`,
        });
      }
    }
    for (const child of Object.values(value)) visit(child, depth + 1);
  };
  visit(parse(code, { ecmaVersion: "latest", sourceType: "module" }), 1);
  // At one place, what begins further outside comes first, and what ends further inside.
  const edits = [
    ...insertions.map(({ at, order, text }) => ({ start: at, end: at, order, text })),
    ...replaced.map((each) => ({ ...each, order: 0 })),
  ].toSorted(
    (one, other) =>
      one.start - other.start || Number(one.order >= 0) - Number(other.order >= 0) || one.order - other.order,
  );
  let counted = "";
  let end = 0;
  for (const edit of edits) {
    counted += code.slice(end, edit.start) + edit.text;
    end = edit.end;
  }
  return counted + code.slice(end);
}

const LOOPS = new Set([
  "ForStatement",
  "ForInStatement",
  "ForOfStatement",
  "WhileStatement",
  "DoWhileStatement",
]);
const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

/** The members of a syntax tree's nodes that are looked at. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly body?: unknown;
  readonly argument?: unknown;
  readonly callee?: Node;
  readonly object?: unknown;
  readonly property?: Node;
  readonly name?: string;
  readonly computed?: boolean;
  readonly optional?: boolean;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
