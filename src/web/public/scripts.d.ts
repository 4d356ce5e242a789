/** What `import … with { type: "text" }` gives of a script. */
declare module "*/public/library.js" {
  const text: string;
  export default text;
}
