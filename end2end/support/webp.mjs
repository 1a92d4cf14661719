// Pictures as WebP: a still one by the browser's own encoder, and several as an animation in one file.

/** A PNG as WebP. */
export async function webp(page, png, quality = 0.82) {
  const data = await page.evaluate(
    async ([base64, quality]) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height);
      // Without transparency each picture is one chunk.
      canvas.getContext("2d", { alpha: false }).drawImage(image, 0, 0);
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/webp", quality })).arrayBuffer());
      let text = "";
      for (const byte of bytes) text += String.fromCharCode(byte);
      return btoa(text);
    },
    [png.toString("base64"), quality],
  );
  return Buffer.from(data, "base64");
}

/** WebP pictures of one size as an endless animation; each is shown for so many milliseconds. */
export function animation(frames, { width, height }) {
  const size = Buffer.concat([uint24(width - 1), uint24(height - 1)]);
  const flags = Buffer.from([0b10, 0, 0, 0]);
  const header = chunk("VP8X", Buffer.concat([flags, size]));
  const loops = chunk("ANIM", Buffer.from([255, 255, 255, 255, 0, 0]));
  const parts = frames.map(({ picture, milliseconds }) => {
    const place = Buffer.concat([uint24(0), uint24(0), size, uint24(milliseconds), Buffer.from([0b10])]);
    return chunk("ANMF", Buffer.concat([place, bitstream(picture)]));
  });
  const body = Buffer.concat([Buffer.from("WEBP"), header, loops, ...parts]);
  return Buffer.concat([Buffer.from("RIFF"), uint32(body.length), body]);
}

/** The chunk of a picture that has its pixels. */
function bitstream(picture) {
  for (let at = 12; at < picture.length; ) {
    const name = picture.toString("latin1", at, at + 4);
    const length = 8 + picture.readUInt32LE(at + 4);
    const padded = length + (length % 2);
    if (name === "VP8 " || name === "VP8L") return picture.subarray(at, at + padded);
    at += padded;
  }
  throw new Error("the picture has no pixels");
}

function chunk(name, data) {
  const padding = Buffer.alloc(data.length % 2);
  return Buffer.concat([Buffer.from(name), uint32(data.length), data, padding]);
}

function uint32(number) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}

function uint24(number) {
  return uint32(number).subarray(0, 3);
}
