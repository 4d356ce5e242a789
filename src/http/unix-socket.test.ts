import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { temporaryFolder } from "../../test/support/server/server.ts";
import { withSocketMode } from "./unix-socket.ts";

test("A socket is for its owner and its group, and later files have their usual mode", () => {
  using folder = temporaryFolder();
  const unix = folder.file("socket");
  const before = process.umask(0o022);
  try {
    const listener = withSocketMode(() => Bun.listen({ unix, socket: { data() {} } }));
    expect(statSync(unix).mode & 0o777).toBe(0o660);
    expect(process.umask()).toBe(0o022);
    listener.stop();
  } finally {
    process.umask(before);
  }
});
