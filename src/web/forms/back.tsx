/** @jsxImportSource #jsx */
import { z } from "zod";
import type { Markup } from "../jsx/preact.js";
import { localTarget, type SafeUrl } from "../urls.ts";

/** The page to return to, in the query or the form of another page. */
export const BackQuery = z.object({ back: z.string().optional() });

/** Keeps that page in a form. */
export function BackField({ back }: { readonly back: string | undefined }): Markup | null {
  return back ? <input type="hidden" name="back" value={back} /> : null;
}

/** The requested page if it is `home` or below it, otherwise `home`. */
export function backTo(requested: string | undefined, home: SafeUrl): SafeUrl {
  const target = localTarget(requested, home);
  const [path = ""] = target.split(/[?#]/, 1);
  return path === home || path.startsWith(`${home}/`) ? target : home;
}
