// node in-worker.js MODEL
import { Tensor } from 'sardonyx';
import { InferenceSession } from 'sardonyx/worker'; // The same interface, but the model runs in its own worker.

const [model] = process.argv.slice(2);
if (!model) throw new Error('usage: node in-worker.js MODEL');

let longest = 0;
let before = performance.now();
const clock = setInterval(() => {
  const now = performance.now();
  longest = Math.max(longest, now - before);
  before = now;
}, 1);

const session = await InferenceSession.create(model);
try {
  const feeds = session.inputMetadata.map((input) => {
    if (!input.isTensor || input.type !== 'float32') throw new Error(`${input.name} is not a float32 tensor`);
    const dims = input.shape.map((size) => (typeof size === 'number' ? size : 1));
    const count = dims.reduce((a, b) => a * b, 1);
    return [input.name, new Tensor('float32', new Float32Array(count), dims)];
  });
  const started = performance.now();
  // With `transfer` the feeds are not copied, and are empty afterwards.
  const results = await session.run(Object.fromEntries(feeds), { transfer: true });
  console.log(`${(performance.now() - started).toFixed(1)} ms for ${Object.keys(results)}`);
  console.log(`this thread was never blocked for more than ${longest.toFixed(1)} ms`);
} finally {
  clearInterval(clock);
  await session.release(); // Ends the worker.
}
