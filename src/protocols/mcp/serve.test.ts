import { expect, test } from "bun:test";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../../..");

test("A start does not load the package of the protocol, its first message does", () => {
  const script = `
    const loaded = () => Object.keys(require.cache).filter((path) => path.includes("@modelcontextprotocol")).length > 0;
    await import("./src/commands/server/serve.ts");
    const { createRoutes } = await import("./src/app/app.ts");
    const { readConfig } = await import("./src/config/read-config.ts");
    const isServed = "/mcp" in createRoutes({ config: readConfig({}), database: {} });
    const atStart = loaded();
    await import("./src/protocols/mcp/serve.ts");
    console.log(JSON.stringify({ isServed, atStart, afterwards: loaded() }));`;
  const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", script], { cwd: ROOT });
  expect(stderr.toString()).toBe("");
  expect(JSON.parse(stdout.toString())).toEqual({ isServed: true, atStart: false, afterwards: true });
});
