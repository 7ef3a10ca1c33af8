import { expose, transfer } from 'comlink';
import type { TensorValue } from 'sardonyx';
import { buffersOf } from '../graph/buffers.js';
import type { PeerService, PeerValues } from './contracts/peer.js';

/** The parts of onnxruntime-common used here. */
interface Ort {
  readonly env: { readonly versions: { readonly web?: string }; readonly wasm: Record<string, unknown> };
  readonly Tensor: new (type: string, data: unknown, dims: readonly number[]) => TensorValue;
  readonly InferenceSession: { create(model: Uint8Array, options: object): Promise<Session> };
}

interface Session {
  readonly outputMetadata: readonly { readonly name: string; readonly isTensor: boolean }[];
  run(feeds: Record<string, TensorValue>, fetches: readonly string[]): Promise<Record<string, TensorValue>>;
}

let ort: Ort;
let session: Session;
let fed: Record<string, TensorValue> = {};
let fetched: readonly string[] = [];

const service: PeerService = {
  async open(folder, { model, beside }, { threads, level }) {
    ort = await import(/* @vite-ignore */ `${folder}ort.wasm.min.mjs`);
    Object.assign(ort.env.wasm, { wasmPaths: folder, numThreads: threads });
    const started = performance.now();
    const external = beside.map(async ({ path, data }) => ({ path, data: new Uint8Array(await data.arrayBuffer()) }));
    session = await ort.InferenceSession.create(new Uint8Array(await model.arrayBuffer()), {
      executionProviders: ['wasm'],
      graphOptimizationLevel: level,
      externalData: await Promise.all(external),
      logSeverityLevel: 3,
    });
    return { version: ort.env.versions.web ?? '', milliseconds: performance.now() - started };
  },
  async run(feeds, wanted) {
    fetched = wanted ?? session.outputMetadata.filter(({ isTensor }) => isTensor).map(({ name }) => name);
    fed = Object.fromEntries(
      Object.entries(feeds).map(([name, { type, data, dims }]) => [name, new ort.Tensor(type, data, dims)]),
    );
    const started = performance.now();
    const results = await session.run(fed, fetched);
    const answer = { milliseconds: performance.now() - started, values: plain(results) };
    return transfer(answer, buffersOf(answer));
  },
  async time() {
    const started = performance.now();
    await session.run(fed, fetched);
    return performance.now() - started;
  },
};

/** Copies with transferable buffers. Newer engines use an array of half floats, where Sardonyx uses their bits. */
const plain = (values: Record<string, TensorValue>): PeerValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, { type, dims, data }]) => {
      const copy = data.slice() as Exclude<TensorValue['data'], readonly string[]>;
      const isHalf = type === 'float16' && !(copy instanceof Uint16Array);
      return [name, { type, dims: [...dims], data: isHalf ? new Uint16Array(copy.buffer) : copy } as TensorValue];
    }),
  );

expose(service);
