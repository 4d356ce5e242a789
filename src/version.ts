import manifest from "../package.json" with { type: "json" };

/** The version of this program, as package.json has it. */
export const VERSION: string = manifest.version;
