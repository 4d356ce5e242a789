import { parse } from "acorn";

/** The regular expressions of a source file. */
export interface FoundPatterns {
  readonly patterns: readonly RegExp[];
  /** The calls of `new RegExp` whose pattern is not written there, such as `new RegExp(source)`. */
  readonly computed: readonly string[];
}

/**
 * Finds every regular expression of a file of TypeScript, with or without JSX: those between slashes, and those given to
 * `RegExp` as a text. What a template inserts is taken for one letter: only the parts around it are looked at.
 */
export function findPatterns(source: string, language: "ts" | "tsx"): FoundPatterns {
  const code = TO_JAVASCRIPT.transformSync(source, language);
  const patterns: RegExp[] = [];
  const computed: string[] = [];
  walk(parse(code, { ecmaVersion: "latest", sourceType: "module" }), (node) => {
    if (node.type === "Literal" && node.regex !== undefined)
      patterns.push(new RegExp(node.regex.pattern, node.regex.flags));
    if ((node.type === "NewExpression" || node.type === "CallExpression") && node.callee?.name === "RegExp") {
      const [pattern, flags] = node.arguments ?? [];
      const text = pattern && textOf(pattern);
      if (text === undefined) computed.push(code.slice(node.start, node.end));
      else patterns.push(new RegExp(text, typeof flags?.value === "string" ? flags.value : ""));
    }
  });
  return { patterns, computed };
}

const TO_JAVASCRIPT = new Bun.Transpiler({
  deadCodeElimination: false,
  treeShaking: false,
  trimUnusedImports: false,
});

/** The members of a syntax tree's nodes that are looked at. */
interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly value?: unknown;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly callee?: { readonly name?: string };
  readonly arguments?: readonly SyntaxNode[];
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
}

function textOf({ type, value, quasis }: SyntaxNode): string | undefined {
  if (type === "Literal" && typeof value === "string") return value;
  return type === "TemplateLiteral" ? quasis?.map((part) => part.value.cooked).join("x") : undefined;
}

function walk(node: unknown, visit: (node: SyntaxNode) => void): void {
  if (Array.isArray(node)) for (const child of node) walk(child, visit);
  else if (typeof node === "object" && node !== null) {
    if (isSyntaxNode(node)) visit(node);
    for (const child of Object.values(node)) walk(child, visit);
  }
}

function isSyntaxNode(node: object): node is SyntaxNode {
  return "type" in node && typeof node.type === "string";
}
