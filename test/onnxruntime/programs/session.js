// A session with options, made from part of a buffer, run in every way.
import { readFile } from 'node:fs/promises';
import { env, InferenceSession, Tensor } from 'onnxruntime-web';

const [folder] = process.argv.slice(2);
env.wasm.numThreads = 1;
env.logLevel = 'error';
env.webgpu.powerPreference = 'low-power';

const file = await readFile(`${folder}/many-types.onnx`);
const buffer = new ArrayBuffer(file.length + 24);
new Uint8Array(buffer, 16).set(file);
const options = {
  executionProviders: [{ name: 'wasm' }],
  graphOptimizationLevel: 'all',
  enableCpuMemArena: true,
  enableMemPattern: true,
  executionMode: 'sequential',
  freeDimensionOverrides: { batch: 2 },
  logId: 'test',
  logSeverityLevel: 3,
  logVerbosityLevel: 0,
  enableProfiling: false,
  extra: { session: { set_denormal_as_zero: '1' } },
};
const session = await InferenceSession.create(buffer, 16, file.length, options);
console.log(session.inputNames, session.outputNames);
console.log(JSON.stringify(session.inputMetadata), JSON.stringify(session.outputMetadata));

const print = (results) => {
  for (const [name, tensor] of Object.entries(results)) {
    const { type, dims, size, location, data } = tensor;
    console.log(
      name,
      tensor instanceof Tensor,
      type,
      dims,
      size,
      location,
      data.constructor.name,
      Array.from(data, String),
    );
  }
};

const feeds = {
  floats: new Tensor('float32', [1, -2, 3, -4], [2, 2]),
  whole: new Tensor('int64', [1n, 2n], [2]),
  flags: new Tensor('bool', [true, false], [2]),
  words: new Tensor('string', ['left', 'right'], [2]),
  small: new Tensor('uint8', [1, 255], [2]),
};
print(await session.run(feeds));
print(await session.run(feeds, ['doubled', 'negated']));
print(await session.run(feeds, { tag: 'a run', logSeverityLevel: 4 }));
print(await session.run(feeds, ['doubled'], { tag: 'a run' }));
const given = new Tensor('float32', [0, 0, 0, 0], [2, 2]);
const { positive } = await session.run(feeds, { positive: given, doubled: null });
console.log(positive === given);

const failure = async (promise) =>
  promise.then(
    () => 'worked',
    (error) => error instanceof Error,
  );
const { floats, ...missing } = feeds;
console.log(await failure(session.run(missing)));
console.log(await failure(session.run({ ...feeds, other: floats })));
console.log(await failure(session.run({ ...feeds, floats: feeds.whole })));
console.log(await failure(session.run(feeds, ['unknown'])));
console.log(await failure(InferenceSession.create(buffer, 1000000)));
console.log(await failure(InferenceSession.create(file, { executionProviders: ['tensorrt'] })));
console.log(await failure(InferenceSession.create(new Uint8Array(8))));
const passed = await InferenceSession.create(file, { executionProviders: ['tensorrt', 'cpu'] });
await passed.release();
await session.release();
console.log(await failure(session.run(feeds)));
