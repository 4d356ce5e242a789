/** `import … with { type: "file" }` gives the path of the file. */
declare module "*.png" {
  const path: string;
  export default path;
}

declare module "*.ico" {
  const path: string;
  export default path;
}
