import { env, InferenceSession, Tensor } from 'sardonyx';
import kernels from 'sardonyx/sardonyx.simd.wasm';
import model from '../../digits/model.onnx';

const SIDE = 8;

env.wasm.source = kernels; // Workers cannot compile WebAssembly; its modules come with the script.

let session: Promise<InferenceSession> | undefined;

export default {
  async fetch(request: Request): Promise<Response> {
    if (request.method !== 'POST') return failure(405, 'POST an image');
    const pixels: unknown = await request.json().catch(() => undefined);
    if (!isImage(pixels)) return failure(400, `an image must be a JSON array of ${SIDE * SIDE} numbers, 0…1`);
    return Response.json(await recognize(pixels));
  },
};

async function recognize(pixels: readonly number[]) {
  session ??= InferenceSession.create(model);
  const image = new Tensor('float32', Float32Array.from(pixels), [1, 1, SIDE, SIDE]);
  const { probabilities } = await (await session).run({ image });
  const ofDigits = Array.from((probabilities as Tensor).data as Float32Array);
  const digit = ofDigits.indexOf(Math.max(...ofDigits));
  return { digit, probability: ofDigits[digit] };
}

const isImage = (pixels: unknown): pixels is number[] =>
  Array.isArray(pixels) && pixels.length === SIDE * SIDE && pixels.every((pixel) => typeof pixel === 'number');

const failure = (status: number, error: string): Response => Response.json({ error }, { status });
