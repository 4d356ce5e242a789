import { blog } from "./blog.ts";
import { gettingIn } from "./getting-in.ts";
import { imports } from "./imports.ts";
import { library } from "./library.ts";
import { moderation } from "./moderation.ts";
import type { PageStates } from "./picture-state.ts";
import { protocols } from "./protocols.ts";
import { settings } from "./settings.ts";
import { writing } from "./writing.ts";

/** The pages of all parts of the product in their states. */
export const PAGES_OF_PARTS: readonly PageStates[] = [
  gettingIn,
  library,
  blog,
  writing,
  moderation,
  settings,
  protocols,
  // These fill the empty site.
  imports,
];
