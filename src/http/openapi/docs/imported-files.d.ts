/** `import … with { type: "file" }` gives the path of the file. */
declare module "swagger-ui-dist/*" {
  const path: string;
  export default path;
}

declare module "*/start.js" {
  const path: string;
  export default path;
}

declare module "*.css" {
  const path: string;
  export default path;
}

declare module "*.svg" {
  const path: string;
  export default path;
}
