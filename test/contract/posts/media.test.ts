import { expect, test } from "bun:test";
import { makeImage, PLACE, photo } from "../../support/files/images.ts";
import { bodyOf, createPost, describeBlog, pathOf, readPage } from "../../support/records/blog.ts";

interface Uploaded {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly used?: boolean;
}

const MEDIA = "/api/media/";

describeBlog("Media", (blog) => {
  const { editor, anyone } = blog;

  function upload(bytes: Uint8Array, type = "image/jpeg"): Promise<Response> {
    return editor(MEDIA, {
      method: "POST",
      body: bytes as Uint8Array<ArrayBuffer>,
      headers: { "content-type": type },
    });
  }

  test("are accepted as raw bytes or in a form, and served at their path permanently", async () => {
    const bytes = await makeImage("jpeg", { width: 2_000, height: 100 });
    const response = await upload(bytes);
    expect(response.status).toBe(201);
    const uploaded = await bodyOf<Uploaded>(response);
    expect(uploaded).toMatchObject({ width: 2_000, height: 100 });
    expect(uploaded.url).toMatch(/^\/media\/[0-9a-f]{40}\.jpg$/);
    const form = new FormData();
    form.set("file", new File([bytes as Uint8Array<ArrayBuffer>], "holiday.svg", { type: "image/svg+xml" }));
    expect(await bodyOf<Uploaded>(await editor(MEDIA, { method: "POST", body: form }))).toEqual(uploaded);
    for (const [path, width] of [
      [uploaded.url, 2_000],
      ...[480, 800, 1_200, 1_600].map(
        (width) => [uploaded.url.replace(".jpg", `-${width}.jpg`), width] as const,
      ),
    ] as const) {
      const image = await anyone(path);
      expect(image.status).toBe(200);
      expect(image.headers.get("content-type")).toBe("image/jpeg");
      expect(image.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(image.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
      // Web-based feed readers, and websites built from the posts, show the images on pages of their own.
      expect(image.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
      expect((await new Bun.Image(await image.bytes()).metadata()).width).toBe(width);
      const again = await anyone(path, { headers: { "if-none-match": image.headers.get("etag") ?? "" } });
      expect(again.status).toBe(304);
    }
    for (const path of ["-801.jpg", ".png", ".jpg/"])
      expect((await anyone(uploaded.url.replace(".jpg", path))).status).not.toBe(200);
  });

  test("keep their type, and are never wider or higher than 2,400 pixels", async () => {
    for (const type of ["png", "webp"] as const) {
      const uploaded = await bodyOf<Uploaded>(
        await upload(await makeImage(type, { width: 60, height: 2_600 }), `image/${type}`),
      );
      expect(uploaded.height).toBe(2_400);
      const image = await anyone(uploaded.url);
      expect(image.headers.get("content-type")).toBe(`image/${type}`);
      expect((await new Bun.Image(await image.bytes()).metadata()).format).toBe(type);
    }
  });

  test("lose all metadata of the file", async () => {
    const { url } = await bodyOf<Uploaded>(await upload(await photo()));
    const kept = Buffer.from(await (await anyone(url)).bytes());
    for (const text of ["Exif", PLACE, "script"]) expect([text, kept.includes(text)]).toEqual([text, false]);
  });

  test("are turned upright, as the camera was held", async () => {
    const jpeg = await makeImage("jpeg", { width: 400, height: 300 });
    // TIFF, big-endian: one entry, the orientation (0x0112), a short: 6, to be turned by a quarter to the right.
    const tiff = "4d4d002a00000008" + "0001" + "0112000300000001" + "00060000" + "00000000";
    const exif = Buffer.concat([Buffer.from("Exif\0\0"), Buffer.from(tiff, "hex")]);
    const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, exif.length + 2]), exif]);
    const turned = Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
    const uploaded = await bodyOf<Uploaded>(await upload(turned));
    expect([uploaded.width, uploaded.height]).toEqual([300, 400]);
    const { width, height } = await new Bun.Image(await (await anyone(uploaded.url)).bytes()).metadata();
    expect([width, height]).toEqual([300, 400]);
  });

  test("are detected by their bytes: anything but a still image is refused", async () => {
    const png = Buffer.from(await makeImage("png"));
    const animated = Buffer.concat([
      png.subarray(0, 33),
      Buffer.from("\0\0\0\x08acTL\0\0\0\x02\0\0\0\0\0\0\0\0"),
      png.subarray(33),
    ]);
    const files = {
      svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
      html: Buffer.from("<!doctype html><script>alert(1)</script>"),
      gif: Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64"),
      empty: Buffer.alloc(0),
      animated,
    };
    for (const [name, bytes] of Object.entries(files)) {
      const response = await upload(bytes, "image/png");
      expect([name, response.status]).toEqual([name, 415]);
    }
    expect((await upload(png, "image/gif")).status).toBe(415);
  });

  test("that claim huge dimensions are refused before they are decoded", async () => {
    const bomb = Buffer.from(await makeImage("png"));
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    // The header's checksum, so that it is the size that is looked at.
    bomb.writeUInt32BE(Bun.hash.crc32(bomb.subarray(12, 29)), 29);
    expect((await upload(bomb, "image/png")).status).toBe(413);
  });

  test("that a post shows are not deleted; unused ones are listed and can be deleted", async () => {
    const [shown, unused] = [
      await bodyOf<Uploaded>(await upload(await makeImage("jpeg", { width: 50 }))),
      await bodyOf<Uploaded>(await upload(await makeImage("jpeg", { width: 60 }))),
    ];
    const post = await createPost(editor, { content: `![Alt](${shown.url})` });
    const pathTo = ({ url }: Uploaded) => `${MEDIA}${url.slice("/media/".length, -".jpg".length)}/`;
    const page = await readPage<Uploaded>(editor, `${MEDIA}?used=false&page_size=1000`);
    expect(page.results.some(({ url }) => url === unused.url)).toBe(true);
    expect(page.results.some(({ url }) => url === shown.url)).toBe(false);
    expect((await editor(pathTo(shown), { method: "DELETE" })).status).toBe(409);
    expect((await editor(pathTo(unused), { method: "DELETE" })).status).toBe(204);
    expect((await anyone(unused.url)).status).toBe(404);
    await editor(pathOf(post), { method: "DELETE" });
    expect((await editor(pathTo(shown), { method: "DELETE" })).status).toBe(204);
  });

  test("of private posts are for accounts, and not shown on pages of other origins", async () => {
    const { url } = await bodyOf<Uploaded>(await upload(await makeImage("jpeg", { width: 70 })));
    const { anyone: stranger, editor: owner } = blog.servedWith({ POSTS_ACCESS: "private" });
    expect((await stranger(url)).status).toBe(401);
    const { status, headers } = await owner(url);
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("private, max-age=31536000, immutable");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  });

  test("are uploaded by accounts alone", async () => {
    const body = (await makeImage("jpeg")) as Uint8Array<ArrayBuffer>;
    expect(
      (await anyone(MEDIA, { method: "POST", body, headers: { "content-type": "image/jpeg" } })).status,
    ).toBe(401);
    expect((await anyone(MEDIA)).status).toBe(401);
  });
});
