import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { temporaryFolder } from "../support/server/server.ts";

test("stopping npm start stops the server, with the server's exit code", async () => {
  using folder = temporaryFolder();
  const npm = Bun.spawn(["npm", "start"], {
    cwd: resolve(import.meta.dir, "../.."),
    env: {
      PATH: process.env.PATH ?? "",
      HOME: folder.path,
      PORT: "0",
      DATABASE_URL: `sqlite:${folder.file("x.db")}`,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const url = await listeningAddress(npm.stdout);
  npm.kill("SIGTERM");
  expect(await npm.exited).toBe(0);
  const after = await fetch(url).then(
    () => "answered",
    () => "refused",
  );
  expect(after).toBe("refused");
});

async function listeningAddress(output: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true });
    const address = /Listening on (http:\/\/[^"\s]+)/.exec(text)?.[1];
    if (address) return address;
  }
  throw new Error(`the server did not start: ${text}`);
}
