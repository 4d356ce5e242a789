import { expect, test } from "bun:test";
import { MULTIPART_BODY } from "../http/body/body-decoders.ts";
import { uploadName } from "./uploads.ts";

test.each([
  ["blog.zip", "blog.zip"],
  ["C:\\\\exports\\\\blog.zip", "blog.zip"],
  ["../../blog.zip", "blog.zip"],
  ["", "a file"],
])("the file that a form calls %j is stored as %j", async (given, stored) => {
  const type = "multipart/form-data; boundary=B";
  const part = `--B\r\nContent-Disposition: form-data; name="file"; filename="${given}"\r\n\r\nx\r\n--B--\r\n`;
  const request = new Request("http://localhost/", { method: "POST", headers: { "content-type": type } });
  const { file } = (await MULTIPART_BODY.decode(Buffer.from(part), request)) as { file: File };
  expect(uploadName(file, "a file")).toBe(stored);
});
