import { expect, test } from "bun:test";
import { Bylines } from "./byline.ts";

test.each<[line: string, name: string | null]>([
  ["Ada Rivers", "Ada Rivers"],
  ["By Ada Rivers and Bob", "Ada Rivers and Bob"],
  ["Written by: Ada Rivers", "Ada Rivers"],
  ["von Dr. Karl-Heinz von Ufer", "Dr. Karl-Heinz von Ufer"],
  ["Ada Rivers, 4 May 2026", "Ada Rivers"],
  ["lundi, 4 mai 2026, 9:30 | Ada Rivers", "Ada Rivers"],
  ["by Ada Rivers | 5 min read", "Ada Rivers"],
  ["Jean-Paul / Marie", "Jean-Paul / Marie"],
  ["作者：田中", "作者：田中"],
  // Names that begin as labels do
  ["On Kawara", "On Kawara"],
  ["Le Corbusier", "Le Corbusier"],
  // Addresses and handles
  ["Ada Rivers ada@rivers.example", "Ada Rivers"],
  ["ada@rivers.example", "ada@rivers.example"],
  ["Ada Rivers@ada", "Ada Rivers"],
  ["@ada", "@ada"],
  // No names
  ["Posted on", null],
  ["Monday", null],
  ["lundi, 04/05/2026", null],
  ["Leave a comment", null],
  ["", null],
])("the line %j about an author names %j", (line, name) => {
  expect(new Bylines("fr").nameIn(line)).toBe(name);
});
