import { cookieValue } from "../web/cookies.ts";
import type { LibraryCall } from "./library-query.ts";

const COOKIE = "commonplace_density";
const PICTURES_COOKIE = "commonplace_pictures";
/** As long as browsers keep a cookie, in seconds. */
const MAX_AGE = 400 * 24 * 60 * 60;

/** The views of a list, the default first: links with their notes, in one line each, or as cards with the pictures of their pages. */
export const DENSITIES = ["full", "compact", "pictures"] as const;
export type Density = (typeof DENSITIES)[number];

/** How many links a page of a view has. */
export const PER_PAGE: Readonly<Record<Density, number>> = { full: 50, compact: 50, pictures: 24 };

/** The density that the address asks for, or else the one that this browser asked for last. */
export function densityOf({ query: { view }, request }: LibraryCall): Density {
  return known(view) ?? remembered(request);
}

/** Whether a view has pictures of pages: cards do, and rows with notes unless the address, or this browser the last time, says *off*. */
export function showsPictures(call: LibraryCall): boolean {
  const { query, request } = call;
  const density = densityOf(call);
  if (density !== "full") return density === "pictures";
  return isSwitch(query.pictures) ? query.pictures === "on" : showsRowPictures(request);
}

/** Whether this browser wants pictures beside rows: the list of the library asks. */
export function showsRowPictures(request: Request): boolean {
  return cookieValue(request, PICTURES_COOKIE) !== "off";
}

/** `Set-Cookie` that remembers in this browser what the address asks for, if it is something else than before. */
export function densityCookies({
  query: { view, pictures },
  request,
  client,
}: LibraryCall): readonly string[] {
  const secure = client.scheme === "https" ? "; Secure" : "";
  const cookie = (name: string, value: string, path: string) =>
    `${name}=${value}; Max-Age=${MAX_AGE}; Path=${path}; HttpOnly; SameSite=Lax${secure}`;
  return [
    ...(view !== undefined && known(view) !== undefined && view !== remembered(request)
      ? [cookie(COOKIE, view, "/library")]
      : []),
    ...(isSwitch(pictures) && pictures !== cookieValue(request, PICTURES_COOKIE)
      ? [cookie(PICTURES_COOKIE, pictures, "/")]
      : []),
  ];
}

function isSwitch(pictures: string | undefined): pictures is "on" | "off" {
  return pictures === "on" || pictures === "off";
}

function remembered(request: Request): Density {
  return known(cookieValue(request, COOKIE)) ?? DENSITIES[0];
}

function known(view: string | undefined): Density | undefined {
  return DENSITIES.find((one) => one === view);
}
