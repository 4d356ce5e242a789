import { SeededRandom } from "../bench/data/made-up-text.ts";
import { blackBitmap } from "../test/support/files/bitmap.ts";

/** The size of a picture, in pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}
/** The size of a card in the library. */
const CARD: Size = { width: 480, height: 252 };

/** Red, green and blue, from 0 to 255. */
type Color = readonly [number, number, number];

/** The sky from top to bottom, and the hills from the farthest to the nearest. */
const PALETTES: readonly (readonly [Color, Color, Color, Color])[] = [
  [
    [155, 196, 217],
    [206, 200, 235],
    [140, 160, 188],
    [66, 28, 84],
  ],
  [
    [166, 222, 170],
    [198, 236, 214],
    [150, 190, 160],
    [24, 74, 96],
  ],
  [
    [176, 224, 220],
    [196, 222, 240],
    [150, 188, 198],
    [52, 92, 148],
  ],
  [
    [232, 212, 202],
    [236, 232, 196],
    [196, 180, 140],
    [16, 48, 20],
  ],
  [
    [228, 178, 204],
    [250, 222, 210],
    [216, 160, 164],
    [120, 60, 84],
  ],
  [
    [190, 190, 232],
    [214, 198, 236],
    [160, 148, 186],
    [110, 24, 80],
  ],
  [
    [250, 222, 170],
    [252, 240, 214],
    [222, 178, 140],
    [92, 40, 36],
  ],
];
const SUN: Color = [252, 246, 224];
const HILLS = 5;

/** A landscape for a made-up page, as WebP. The same seed and size always give the same bytes. */
export async function landscape(seed: number, size = CARD): Promise<Uint8Array> {
  const { width, height } = size;
  const scale = width / CARD.width;
  const random = new SeededRandom(seed);
  const [top, horizon, far, near] = random.pick(PALETTES);
  const sun = { x: (0.2 + 0.6 * random.next()) * width, y: (0.15 + 0.35 * random.next()) * height };
  const ridges = Array.from({ length: HILLS }, (_, index) => ridge(random, index, size));
  const bytes = bitmap(size, (x, y) => {
    const distance = Math.hypot(x - sun.x, y - sun.y) / scale;
    const glow = distance < 7 ? 1 : 0.75 * Math.exp(-distance / 60);
    const sky = mixed(mixed(top, horizon, y / height), SUN, glow);
    return ridges.reduce((color, heights, index) => {
      const covered = Math.min(1, y - (heights[x] ?? 0));
      return covered <= 0 ? color : mixed(color, mixed(far, near, index / (HILLS - 1)), covered);
    }, sky);
  });
  return new Bun.Image(bytes).webp({ quality: 75 }).bytes();
}

/** The upper edge of a row of hills with trees, in pixels from the top, for each pixel from the left. */
function ridge(random: SeededRandom, index: number, { width, height: whole }: Size): number[] {
  const scale = width / CARD.width;
  const base = whole * (0.48 + 0.12 * index);
  const waves = [1, 2.3, 5.1].map((times) => ({
    length: (width / (1.1 * times)) * (0.7 + 0.6 * random.next()),
    height: ((26 * scale) / times) * (0.5 + random.next()),
    phase: 2 * Math.PI * random.next(),
  }));
  return Array.from({ length: width }, (_, x) =>
    waves.reduce(
      (sum, { length, height, phase }) => sum + height * Math.sin((2 * Math.PI * x) / length + phase),
      base + 2 * scale * Math.abs(Math.sin(x / (3 * scale) + index)),
    ),
  );
}

function mixed(one: Color, other: Color, part: number): Color {
  const between = (index: 0 | 1 | 2) => one[index] + (other[index] - one[index]) * part;
  return [between(0), between(1), between(2)];
}

/** A bitmap, from its last row to its first. The width is a multiple of four, so that rows have no rest. */
function bitmap({ width, height }: Size, colorAt: (x: number, y: number) => Color): Buffer {
  const bytes = blackBitmap(width, height);
  for (let y = 0, at = 54; y < height; y++)
    for (let x = 0; x < width; x++, at += 3) {
      const [red, green, blue] = colorAt(x, height - 1 - y);
      bytes[at] = blue;
      bytes[at + 1] = green;
      bytes[at + 2] = red;
    }
  return bytes;
}
