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
