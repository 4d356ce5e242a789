import { expect, test } from "bun:test";
import { waitingUploads } from "../../../src/imports/import-pages.ts";
import { importPage } from "../../support/files/import-page.ts";
import { describeContract } from "../../support/server/contract.ts";

const FILE = "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF='https://example.com/'>x</A></DL>";

describeContract("An upload beside ten others", (service) => {
  test("is refused early, and taken when one has ended", async () => {
    const { upload, send } = await importPage(service);
    const uploadLinks = () => {
      const body = new FormData();
      body.set("file", new File([FILE], "links.html"));
      return send("/library/import", { method: "POST", body, headers: { "sec-fetch-site": "same-origin" } });
    };
    const places = Array.from({ length: 10 }, () => waitingUploads.enter());
    try {
      for (const refused of [await upload("# A post", "post.md"), await uploadLinks()]) {
        expect(refused.status).toBe(503);
        expect(refused.headers.get("retry-after")).toBe("60");
        expect(await refused.text()).toContain("Many files are being imported at the moment");
      }
      places.pop()?.[Symbol.dispose]();
      for (let n = 0; n < 3; n++) {
        expect((await upload("# A post", "post.md")).status).toBe(303);
        expect((await uploadLinks()).status).toBe(303);
      }
    } finally {
      for (const place of places) place[Symbol.dispose]();
    }
  });
});
