/** Reads no file, but does what its first word says: what a hostile file could make of a reader. */
const [what] = process.argv.slice(2);
console.log(JSON.stringify({ progress: [1, 2] }));
if (what === "computes") for (;;);
if (what === "grows") {
  const kept: Uint8Array[] = [];
  // In the pace of a reader, so that its memory is seen to grow.
  for (;;) {
    kept.push(new Uint8Array(4 * 1024 * 1024).fill(1));
    await Bun.sleep(5);
  }
}
if (what === "asks") console.log(JSON.stringify({ isAsking: true }));
if (what === "waits" || what === "asks") await new Promise((resolve) => setTimeout(resolve, 2 ** 31 - 1));
process.kill(process.pid, "SIGSEGV");
await new Promise(() => {});

export {};
