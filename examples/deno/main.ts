// Recognizes 360 handwritten digits.
import { InferenceSession, Tensor } from 'sardonyx';

const SIDE = 8;
const WHITE = 16;

const images = await readNpy('images.npy');
const labels = await readNpy('labels.npy');
const session = await InferenceSession.create(fileOf('model.onnx'));

const pixels = Float32Array.from(images, (level) => level / WHITE);
const image = new Tensor('float32', pixels, [labels.length, 1, SIDE, SIDE]);
const { probabilities } = await session.run({ image });
const data = (probabilities as Tensor).data as Float32Array;

const correct = labels.filter((label, i) => mostProbable(data.subarray(10 * i, 10 * i + 10)) === label).length;
console.log(`${correct} of ${labels.length} correct`);
await session.release();

function fileOf(name: string): URL {
  return new URL(`../digits/${name}`, import.meta.url);
}

/** The data of a .npy file of uint8. The length of its header is at byte 8. */
async function readNpy(name: string): Promise<Uint8Array> {
  const file = await Deno.readFile(fileOf(name));
  return file.subarray(10 + new DataView(file.buffer).getUint16(8, true));
}

function mostProbable(probabilities: Float32Array): number {
  return probabilities.indexOf(Math.max(...probabilities));
}
