// node cancel.js MODEL [SECONDS]: stops after SECONDS, or on Ctrl-C
import { InferenceSession, SardonyxError, Tensor } from 'sardonyx';

const [model, seconds = '60'] = process.argv.slice(2);
if (!model) throw new Error('usage: node cancel.js MODEL [SECONDS]');

const controller = new AbortController();
const { signal } = controller;
process.once('SIGINT', () => controller.abort(new Error('interrupted')));
const timer = setTimeout(() => controller.abort(new Error('timed out')), 1000 * Number(seconds));

let session;
try {
  session = await InferenceSession.create(model, { signal }); // Cancels the download.
  console.log('loaded');
  const [input] = session.inputMetadata;
  if (!input.isTensor) throw new Error(`${input.name} is not a tensor`);
  const dims = input.shape.map((size) => (typeof size === 'number' ? size : 1));
  const zeros = new Tensor('float32', new Float32Array(dims.reduce((a, b) => a * b, 1)), dims);
  await session.run({ [input.name]: zeros }, { signal }); // Stops within milliseconds.
  console.log('done');
} catch (error) {
  if (!(error instanceof SardonyxError && error.code === 'ABORTED')) throw error;
  console.log(`stopped: ${signal.reason.message}`);
  process.exitCode = 130;
} finally {
  clearTimeout(timer);
  await session?.release();
}
