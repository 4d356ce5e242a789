import type { Node, SourceFile } from "typescript/unstable/ast";
import * as is from "typescript/unstable/ast/is";

/** A small mistake: other characters from `start` to `end` of a file. */
export interface Mistake {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What stands instead of an operator or of the name of a method. */
const INSTEAD: Readonly<Record<string, string>> = {
  ...{ "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===", "&&": "||", "||": "&&" },
  ...{ "+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "+=": "-=", "-=": "+=" },
  ...{ min: "max", max: "min", floor: "ceil", ceil: "floor", some: "every", every: "some" },
  ...{ startsWith: "endsWith", endsWith: "startsWith", replaceAll: "replace", all: "race" },
};

/** Mistakes in SQL. */
const SQL: readonly (readonly [RegExp, string])[] = [
  [/\bwhere\b/g, "where true or"],
  [/\band\b/g, "or"],
  [/\bor\b/g, "and"],
  [/\bis not null\b/g, "is null"],
  [/\bis null\b/g, "is not null"],
  [/\bnot exists\b/g, "exists"],
  [/\bunion all\b/g, "union"],
  [/\bdesc\b/g, "asc"],
  [/\basc\b/g, "desc"],
  [/\bmin\(/g, "max("],
  [/\bmax\(/g, "min("],
  [/ <= /g, " < "],
  [/ < /g, " <= "],
  [/ >= /g, " > "],
  [/ > /g, " >= "],
  [/ = /g, " <> "],
  [/ \+ 1\b/g, ""],
  [/\bdistinct /g, ""],
  [/\bfor update\b/g, ""],
];
const IS_SQL = /\b(?:select|insert into|update|delete from|where|order by|and|or)\b/;

/** Mistakes in regular expressions. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/^\/\^/, "/"],
  [/\$(?=\/\w*$)/, ""],
  [/\+/, "*"],
  [/(?<=\/\w*)i(?=\w*$)/, ""],
];

/** Every mistake that can be made in a file. */
export function mistakesIn(source: SourceFile): Mistake[] {
  const found: Mistake[] = [];
  // Often names of roles, states or headers: others of the same file are the likeliest to pass the compiler.
  const strings = [...stringsOf(source), '""'];
  const textOf = (node: Node) => source.text.slice(node.getStart(source), node.end);
  const add = (kind: string, node: Node, text: string) =>
    found.push({ kind, start: node.getStart(source), end: node.end, text });
  const turnRound = (node: Node) => add("a condition turned round", node, `!(${textOf(node)})`);
  const removeEach = (kind: string, list: readonly Node[]) => {
    // With the comma before it, or after the first.
    for (const [index, node] of list.entries())
      found.push({
        kind,
        start: list[index - 1]?.end ?? node.getStart(source),
        end: (index === 0 ? list[1]?.getStart(source) : undefined) ?? node.end,
        text: "",
      });
  };

  // Of the looks of a page, its pictures tell.
  const isLeftOut = (node: Node) =>
    is.isTypeNode(node) ||
    is.isImportDeclaration(node) ||
    (is.isJsxAttribute(node) && textOf(node.name) === "class");

  const visit = (node: Node): void => {
    if (isLeftOut(node)) return;
    const text = textOf(node);
    if (is.isIfStatement(node)) {
      turnRound(node.expression);
      if (node.elseStatement === undefined) add("a statement removed", node, "{}");
    } else if (is.isWhileStatement(node)) turnRound(node.expression);
    else if (is.isConditionalExpression(node)) turnRound(node.condition);
    else if (is.isExpressionStatement(node) || is.isThrowStatement(node))
      add("a statement removed", node, "{}");
    else if (is.isAwaitExpression(node)) add("an await dropped", node, textOf(node.expression));
    else if (is.isPrefixUnaryExpression(node) && text.startsWith("!"))
      add("a condition turned round", node, textOf(node.operand));
    else if (is.isBinaryExpression(node)) {
      const operator = textOf(node.operatorToken);
      const other = INSTEAD[operator];
      if (other !== undefined) add("another operator", node.operatorToken, other);
      if (["??", "&&", "||"].includes(operator)) add("half a condition dropped", node, textOf(node.left));
      if (["&&", "||"].includes(operator)) add("half a condition dropped", node, textOf(node.right));
    } else if (is.isNumericLiteral(node)) {
      const number = Number(text.replaceAll("_", ""));
      add("off by one", node, String(number + 1));
      if (number > 0) add("off by one", node, String(number - 1));
      if (number >= 10) add("another limit", node, String(number * 10));
    } else if (is.isStringLiteral(node)) {
      for (const other of strings) if (other !== text) add("another string", node, other);
    } else if (is.isRegularExpressionLiteral(node)) {
      for (const [pattern, by] of PATTERNS)
        if (pattern.test(text)) add("another pattern", node, text.replace(pattern, by));
    } else if (is.isJsxAttribute(node)) add("an attribute removed", node, "");
    else if (is.isCallExpression(node)) {
      removeEach("an argument removed", node.arguments);
      if (is.isPropertyAccessExpression(node.expression))
        add("a call dropped", node, textOf(node.expression.expression));
    } else if (is.isPropertyAccessExpression(node)) {
      const other = INSTEAD[textOf(node.name)];
      if (other !== undefined) add("another method", node.name, other);
    } else if (is.isObjectLiteralExpression(node)) removeEach("a property removed", node.properties);
    else if (is.isArrayLiteralExpression(node)) removeEach("an element removed", node.elements);
    else if (text === "true" || text === "false")
      add("a condition turned round", node, text === "true" ? "false" : "true");
    else if (is.isTemplateExpression(node) || is.isNoSubstitutionTemplateLiteral(node)) {
      const offset = node.getStart(source);
      for (const [pattern, by] of IS_SQL.test(text) ? SQL : [])
        for (const { index, 0: match } of text.matchAll(pattern)) {
          const start = offset + index;
          found.push({ kind: "a word of SQL", start, end: start + match.length, text: by });
        }
    }
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

/** The string literals of a file, also those of its types, with their quotes. */
function stringsOf(source: SourceFile): string[] {
  const strings = new Set<string>();
  const visit = (node: Node): void => {
    if (is.isStringLiteral(node)) strings.add(source.text.slice(node.getStart(source), node.end));
    if (!is.isImportDeclaration(node)) node.forEachChild(visit);
  };
  visit(source);
  return [...strings];
}
