import { expect, test } from "bun:test";
import { makeImage } from "../../../test/support/files/images.ts";
import { fakeNetwork } from "../../../test/support/files/picture-network.ts";
import { acceptImage } from "../../media/accept-image.ts";
import { findLinkedPictures } from "../../readers/pictures/linked-pictures.ts";
import { StagedRecords } from "../import/staged-records.ts";
import { BRINGING, type BroughtPicture, bringPictures, type KeptPictures } from "./bring-pictures.ts";

const NOW = new Date("2026-11-22T10:00:00Z");

/** A post with these pictures, and why each is missing. */
async function missing(
  addresses: readonly string[],
  network: ReturnType<typeof fakeNetwork>,
  limits = {},
  kept?: KeptPictures,
) {
  using records = new StagedRecords();
  const day = NOW.toISOString();
  const content = addresses.map((address) => `![a](${address})`).join("\n");
  const record = {
    title: "A",
    content,
    published: true,
    created_at: day,
    updated_at: day,
    published_at: day,
  };
  records.add("post", {
    location: { file: "a.md", line: 1 },
    record: { ...record, created_by: null, publication: null },
  });
  findLinkedPictures(records);
  await bringPictures(records, {
    network,
    now: NOW,
    limits: { ...BRINGING, pause: 1, ...limits },
    ...(kept && { kept }),
  });
  const rows = [...records.rows].filter(({ outcome }) => outcome === "skipped");
  return Object.fromEntries(
    rows.map(({ file, detail }) => [file, detail?.split(" The link is unchanged")[0]]),
  );
}

test("a file can make the server ask neither other machines than those of the public internet, nor other ports", async () => {
  const network = fakeNetwork({
    "https://old.example/inside.jpg": "Location: http://127.0.0.1/a.jpg",
    "https://old.example/there.jpg": "Location: http://inner.example/a.jpg",
    "https://new.example/port.jpg": "Location: https://new.example:22/a.jpg",
  });
  const refused = [
    "http://127.0.0.1/a.jpg",
    "http://2130706433/b.jpg",
    "http://[::1]/a.jpg",
    "http://169.254.169.254/latest/a.jpg",
    "http://inner.example/a.jpg",
    "https://old.example/inside.jpg",
    "https://old.example/there.jpg",
    "https://old.example:22/a.jpg",
    "https://new.example/port.jpg",
  ];
  const found = await missing(refused, network);
  expect(Object.values(found)).toEqual([
    ...Array(7).fill("The host has no public address."),
    ...Array(2).fill("Only the usual ports of web sites are asked."),
  ]);
  expect(network.asked.toSorted()).toEqual([...refused.slice(8), ...refused.slice(5, 7)]);
});

test("one file cannot make it fetch without an end", async () => {
  const image = await makeImage("jpeg");
  const pictures = Array.from({ length: 9 }, (_, index) => `https://old.example/${index}.jpg`);
  const network = () => fakeNetwork(Object.fromEntries(pictures.map((address) => [address, image])));
  const reasons = async (limits: Partial<typeof BRINGING>) =>
    new Set(Object.values(await missing(pictures, network(), { atOnce: 1, ...limits })));
  expect(await reasons({ pictureBytes: 100 })).toEqual(new Set(["It has more than 0 MB."]));
  const some = await missing(pictures, network(), { atOnce: 1, allBytes: 2 * image.length });
  expect(Object.keys(some)).toEqual(pictures.slice(2));
  expect(await reasons({ allTime: 0 })).toEqual(new Set(["Fetching took too long in all."]));

  // What is stored has smaller versions, too.
  const wide = await makeImage("png", { width: 1_600, height: 50 });
  const accepted = await acceptImage(wide);
  const stored = accepted.forms.reduce((size, { bytes }) => size + bytes.length, 0);
  expect(stored).toBeGreaterThan(wide.length);
  const ofWide = fakeNetwork(Object.fromEntries(pictures.map((address) => [address, wide])));
  const one = await missing(pictures, ofWide, { atOnce: 1, allBytes: stored });
  expect(Object.keys(one)).toEqual(pictures.slice(1));
  const found = new Map<number, BroughtPicture>([[1, { accepted, bytes: 1 }]]);
  const kept: KeptPictures = {
    know: async (number) => (found.has(number) ? { size: stored } : undefined),
    find: async (number) => found.get(number) ?? expect.unreachable(),
    keep: async (number, picture) => void found.set(number, picture),
  };
  const others = await missing(pictures, network(), { atOnce: 1, allBytes: stored }, kept);
  expect(Object.keys(others)).toEqual(pictures.slice(1));

  const silent = fakeNetwork({});
  const failed = await missing(pictures, silent, { atOnce: 1, failuresOfHost: 3 });
  expect(silent.asked).toEqual(pictures.slice(0, 3));
  expect(failed[pictures[8] ?? ""]).toBe("old.example could not be reached several times in a row.");
});
