import { cached, list } from '/node_modules/sardonyx/dist/cache.js';
import * as api from '/node_modules/sardonyx/dist/index.js';
import * as worker from '/node_modules/sardonyx/dist/worker.js';
import { check } from './check.js';
import { fetchExample } from './example.js';

const right = async (model, { on = api, name = 'model', ...options } = {}) =>
  (await check(on, model, await fetchExample(name), 1, options)).error <= 1e-5;

/** What fails, as far as it can be told to others. */
const told = (promise) => promise.catch(({ name, code, message }) => ({ name, code, message }));

/** A file in OPFS; undefined where there is none, as in WebKitGTK. */
async function inOpfs(name) {
  const folder = await navigator.storage?.getDirectory?.().catch(() => undefined);
  const handle = await folder?.getFileHandle(name, { create: true });
  if (!handle?.createWritable) return undefined;
  const { body } = await fetch(`/${name}`);
  await body.pipeTo(await handle.createWritable());
  return handle;
}

const asFile = async (name) => (await inOpfs(name)) ?? (await fetch(`/${name}`)).blob();

/** From each kind of source, here and in a worker. */
export async function fromAnything() {
  const blob = await (await fetch('/model.onnx')).blob();
  const handle = await inOpfs('model.onnx');
  const sources = {
    address: () => 'model.onnx',
    url: () => new URL('/model.onnx', location),
    blobUrl: () => URL.createObjectURL(blob),
    response: () => fetch('/model.onnx'),
    stream: async () => (await fetch('/model.onnx')).body,
    bytes: () => blob.arrayBuffer(),
    blob: () => blob,
    file: () => new File([blob], 'model.onnx'),
    cached: () => cached('/model.onnx'),
    ...(handle && { opfs: () => handle }),
  };
  const outcomes = {};
  for (const [name, source] of Object.entries(sources))
    outcomes[name] = [await told(right(await source())), await told(right(await source(), { on: worker }))];
  return outcomes;
}

const streamed = async () => [{ path: 'weights.bin', data: (await fetch('/weights.bin')).body }];

/** A model with weights in another file: beside it, given, and kept with it. */
export async function withExternalData() {
  const externalData = [{ path: 'weights.bin', data: await asFile('weights.bin') }];
  const handle = await asFile('external.onnx');
  const name = 'external';
  return {
    beside: await told(right('/external.onnx', { name })),
    given: await told(right(handle, { name, externalData })),
    givenToWorker: await told(right(handle, { name, externalData, on: worker })),
    givenAsStream: await told(right(handle, { name, externalData: await streamed(), on: worker })),
    kept: await told(right(await cached('/external.onnx', { externalData: ['weights.bin'] }), { name })),
    keptForWorker: await told(right(await cached('/external.onnx'), { name, on: worker })),
    missing: await told(right(handle, { name })),
  };
}

/** Keeps a file and runs it. */
export const keepAndRun = (url, integrity) => told(cached(url, { integrity }).then((kept) => right(kept)));

/** Keeps a file, and tells its length. */
export const keep = (url, integrity) =>
  told(
    cached(url, { integrity })
      .then((kept) => kept.open())
      .then((response) => response.arrayBuffer())
      .then(({ byteLength }) => byteLength),
  );

export const listed = () => told(list().then((files) => files.map(({ url }) => new URL(url).pathname)));

/** With kernels from where `wasmPaths` says. */
export function withKernelsFrom(wasmPaths) {
  api.env.wasm.wasmPaths = wasmPaths;
  return told(right('/model.onnx'));
}
