// Runs the hostile models that its arguments name with a limit, and prints how each ended and how the peak of resident memory grew over it.
import { env, InferenceSession, SardonyxError } from '../../../src/index.js';
import { peakMegabytes } from '../../peak-memory.js';
import { bytesOf, HOSTILE, MEBIBYTE } from './models.js';

env.wasm.numThreads = 1;

for (const hostile of HOSTILE.filter(({ name }) => process.argv.includes(name))) {
  const bytes = bytesOf(hostile);
  const before = peakMegabytes();
  let ending: unknown = 'it ran';
  try {
    const session = await InferenceSession.create(bytes, { limits: { memoryBytes: 64 * MEBIBYTE } });
    await session.run(hostile.feeds ?? {});
  } catch (error) {
    ending = error instanceof SardonyxError ? { code: error.code, message: error.message } : String(error);
  }
  console.log(JSON.stringify({ name: hostile.name, ending, size: bytes.length, mebibytes: peakMegabytes() - before }));
}
