// Quantized networks compared with their float versions, onnxruntime-web and onnxruntime-node, in turn in one process on one thread: node
// --import tsx bench/integers/run.ts [mobilenet resnet …]
import { createRequire } from 'node:module';
import { env, InferenceSession, Tensor } from '../../src/index.js';
import { draw } from '../../test/contrib/case.js';
import { mobileNetV2, resNet50 } from './networks.js';

const NETWORKS: Readonly<Record<string, (quantised: boolean) => Uint8Array>> = {
  mobilenet: mobileNetV2,
  resnet: resNet50,
};

const inBench = createRequire(new URL('../package.json', import.meta.url));
// biome-ignore lint/suspicious/noExplicitAny: the interface that they share
type Api = any;

env.wasm.numThreads = 1;
const web: Api = inBench('onnxruntime-web');
web.env.wasm.numThreads = 1;
const native: Api = inBench('onnxruntime-node');

const image = draw(3).floats([1, 3, 224, 224]).data as Float32Array;

async function opened(api: Api, model: Uint8Array, options: object) {
  const session = await api.InferenceSession.create(model, options);
  const feeds = { x: new api.Tensor('float32', image, [1, 3, 224, 224]) };
  return async () => (await session.run(feeds)).y.data as Float32Array;
}

/** The minimum excludes time that other processes take. */
const least = (times: readonly number[]) => Math.min(...times);

async function compare(name: string, make: (quantised: boolean) => Uint8Array): Promise<void> {
  const [integers, floats] = [make(true), make(false)];
  const sardonyx = { InferenceSession, Tensor };
  const runs = {
    int8: await opened(sardonyx, integers, {}),
    float32: await opened(sardonyx, floats, {}),
    'onnxruntime-web': await opened(web, integers, { executionProviders: ['wasm'] }),
    'onnxruntime-node': await opened(native, integers, { intraOpNumThreads: 1, logSeverityLevel: 3 }),
  };
  const times = new Map<string, number[]>();
  const results = new Map<string, Float32Array>();
  for (let turn = 0; turn < 25; turn++) {
    for (const [who, run] of Object.entries(runs)) {
      const start = performance.now();
      results.set(who, (await run()).slice());
      if (turn > 1) times.set(who, [...(times.get(who) ?? []), performance.now() - start]);
    }
  }
  const own = least(times.get('int8') as number[]);
  const shown = [...times].map(
    ([who, list]) => `${who} ${least(list).toFixed(1)} ms (${(least(list) / own).toFixed(2)})`,
  );
  const expected = results.get('onnxruntime-node') as Float32Array;
  const distance = (results.get('int8') as Float32Array).map((y, i) => Math.abs(y - (expected[i] as number)) / 0.05);
  console.log(`${name}: ${shown.join(', ')}; at most ${Math.max(...distance).toFixed(2)} steps from onnxruntime-node`);
}

const wanted = process.argv.slice(2);
for (const [name, make] of Object.entries(NETWORKS))
  if (wanted.length === 0 || wanted.includes(name)) await compare(name, make);
