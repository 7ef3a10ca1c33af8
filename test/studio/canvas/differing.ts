/** The part of pixels, from 0 to 1, at which two pictures of the same size differ in any channel by more than `slack` of 255. */
export async function differing(a: Blob, b: Blob, slack: number): Promise<number> {
  const [first, second] = [await pixelsOf(a), await pixelsOf(b)];
  if (first.width !== second.width || first.height !== second.height) {
    throw new Error(`${first.width} × ${first.height} beside ${second.width} × ${second.height}`);
  }
  let count = 0;
  for (let i = 0; i < first.data.length; i += 4) {
    const far = [0, 1, 2].some((c) => Math.abs((first.data[i + c] as number) - (second.data[i + c] as number)) > slack);
    if (far) count++;
  }
  return count / (first.data.length / 4);
}

async function pixelsOf(picture: Blob): Promise<ImageData> {
  const image = new Image();
  image.src = URL.createObjectURL(picture);
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
