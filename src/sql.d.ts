declare module "*.sql" {
  const script: string;
  export default script;
}

declare module "*.txt" {
  const text: string;
  export default text;
}
