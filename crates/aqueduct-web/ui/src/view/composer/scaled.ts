// Images that models would refuse, made smaller before they are sent.

/** The largest image that models take: 5 MB as base64, and 8,000 pixels a side. */
const MOST_BYTES = ((5 * 1024 * 1024) / 4) * 3;
const MOST_SIDE = 8000;

/** The longest side of an image that was made smaller, in pixels: models see no more of a larger one. */
const SIDE = 2000;

const QUALITY = 0.85;

/** The image as models take it. One that the browser can't decode stays as it is. */
export async function scaled(file: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) return file;
  try {
    if (file.size <= MOST_BYTES && Math.max(bitmap.width, bitmap.height) <= MOST_SIDE) return file;
    for (let side = SIDE; side > 1; side /= 2) {
      const smaller = await drawn(bitmap, side, file.type);
      if (!smaller) return file;
      if (smaller.size <= MOST_BYTES) return smaller;
    }
    return file;
  } finally {
    bitmap.close();
  }
}

/** The image with a longest side; a photograph stays one, and of others letters and lines stay sharp if that fits. */
async function drawn(bitmap: ImageBitmap, side: number, type: string): Promise<Blob | undefined> {
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (!context) return undefined;
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const written = (as: string): Promise<Blob | null> => new Promise((resolve) => canvas.toBlob(resolve, as, QUALITY));
  const sharp = type === "image/jpeg" ? null : await written("image/png");
  return (sharp && sharp.size <= MOST_BYTES ? sharp : await written("image/jpeg")) ?? undefined;
}
