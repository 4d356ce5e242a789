import type { JsonObject, JsonValue } from "./json-walk.ts";

/** A member as text; empty when it is none. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** A date, which is a text or a number; null when it is neither. */
export function dateOf(value: JsonValue | undefined): string | null {
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

/** The texts of an array; none when it is no array. */
export function textsOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

/** A member as an object; one without members when it is none. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
