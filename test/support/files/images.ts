/**
 * Makes an image with some noise, as a file of the given type. @param noise gives another image of the same
 * size
 */
export async function makeImage(
  type: "jpeg" | "png" | "webp",
  { width = 400, height = 300, noise = 37 }: { width?: number; height?: number; noise?: number } = {},
): Promise<Uint8Array> {
  const image = new Bun.Image(bitmap(width, height, noise));
  if (type === "png") return image.png().bytes();
  return type === "webp" ? image.webp().bytes() : image.jpeg().bytes();
}

/** The place that {@link photo} has. */
export const PLACE = "52.5200 N 13.4050 E";

/** A JPEG with the place where it was taken, and with a script behind its end. */
export async function photo(): Promise<Buffer> {
  const jpeg = await makeImage("jpeg");
  const place = Buffer.from(`Exif\0\0MM\0*\0\0\0\x08 ${PLACE}`);
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, place.length + 2]), place]);
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2), Buffer.from("<script>1</script>")]);
}

/** A Windows bitmap with 24 bits per pixel. */
function bitmap(width: number, height: number, noise: number): Buffer {
  const row = Math.ceil((width * 3) / 4) * 4;
  const bytes = Buffer.alloc(54 + row * height);
  bytes.write("BM");
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  for (let index = 54; index < bytes.length; index += 5) bytes[index] = (index * noise) % 251;
  return bytes;
}
