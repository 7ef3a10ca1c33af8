// Tries each entry of the package that is installed beside it, and says as JSON what came of it, a line each.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const feeds = { x: { type: 'float32', dims: [1, 2], data: Float32Array.of(1, 2) } };

const say = (trial, outcome) => console.log(JSON.stringify({ trial, ...outcome }));
const told = (error) => {
  const { name, code, message } = error ?? {};
  return { name, code, message: message ?? String(error) };
};

process.on('unhandledRejection', (error) => say('unhandled', { error: told(error) }));

async function attempt(trial, work) {
  try {
    say(trial, { value: await work() });
  } catch (error) {
    say(trial, { error: told(error) });
  }
}

const model = readFileSync(new URL('model.onnx', import.meta.url));

const rounded = ({ y }) => Array.from(y.data, Math.round).join();

const WAYS = {
  session: ['sardonyx', ({ InferenceSession }) => InferenceSession.create(model, { intraOpNumThreads: 1 })],
  threads: ['sardonyx', ({ InferenceSession }) => InferenceSession.create(model, { intraOpNumThreads: 2 })],
  worker: ['sardonyx/worker', ({ InferenceSession }) => InferenceSession.create(model)],
  pool: ['sardonyx/pool', ({ createPool }) => createPool(model, { size: 2 })],
  inline: ['sardonyx/inline', async () => (await import('sardonyx')).InferenceSession.create(model)],
};

for (const [trial, [entry, open]] of Object.entries(WAYS)) {
  await attempt(trial, async () => {
    const session = await open(await import(entry));
    const results = [await session.run(feeds), await session.run(feeds)].map(rounded);
    const refused = await session.run({ z: feeds.x }).catch(({ code }) => code);
    await session.warmUp({ n: 2 });
    await session.release();
    return [...results, refused].join(' ');
  });
}

const OTHERS = {
  builder: async () => {
    const { modelBuilder } = await import('sardonyx/builder');
    const b = modelBuilder({ opset: 20 });
    b.output('y', b.op('Exp', [b.input('x', 'float32', ['n', 2])]));
    return b.toBytes().length > 0;
  },
  required: async () => {
    const { Tensor } = createRequire(import.meta.url)('sardonyx');
    return new Tensor('float32', [1]).dims.length === 1;
  },
  tensors: async () => (await import('sardonyx/tensors')).softmax(feeds.x).dims.length === 2,
  log: async () => {
    const log = (await import('sardonyx/log')).createLog();
    log.scalar('x', 1, 0);
    await log.close();
    return log.bytes().length > 40;
  },
  onnxruntime: async () => {
    const { InferenceSession } = await import('sardonyx/onnxruntime');
    return (await InferenceSession.create(model)).inputNames.length === 1;
  },
  cache: async () => Array.isArray(await (await import('sardonyx/cache')).list({ folder: 'cache' })),
};

for (const [trial, work] of Object.entries(OTHERS)) await attempt(trial, work);
