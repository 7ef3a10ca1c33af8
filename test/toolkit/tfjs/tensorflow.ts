// TensorFlow.js on its CPU backend, in a package of its own.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import type { TensorFlowJSArtifacts } from '../../../src/tools/index.js';
import { installedPackages } from '../../installed-packages.js';

const folder = fileURLToPath(new URL('.', import.meta.url));

export interface TensorFlow {
  // biome-ignore lint/suspicious/noExplicitAny: its own declarations are only there once it is installed.
  readonly tf: any;
  // biome-ignore lint/suspicious/noExplicitAny: likewise.
  readonly layers: any;
  // biome-ignore lint/suspicious/noExplicitAny: likewise.
  readonly converter: any;
}

/** The packages, installed on first use; null, with a message, where that is impossible. */
export function tensorflow(): TensorFlow | null {
  if (!installedPackages(folder)) return null;
  const require = createRequire(`${folder}package.json`);
  const load = (name: string) => require(`@tensorflow/tfjs-${name}`);
  const tf = load('core');
  load('backend-cpu');
  load('core/dist/public/chained_ops/register_all_chained_ops');
  return { tf, layers: load('layers'), converter: load('converter') };
}

// biome-ignore lint/suspicious/noExplicitAny: a tf.Tensor.
export const tensorIn = (tensor: any): TensorValue => {
  const isText = tensor.dtype === 'string';
  return { type: tensor.dtype, dims: tensor.shape, data: isText ? tensor.dataSync() : tensor.dataSync().slice() };
};

export const tensorOf = ({ tf }: TensorFlow, { type, dims, data }: TensorValue) =>
  tf.tensor(type === 'bool' ? Array.from(data as Uint8Array, Boolean) : data, [...dims], type);

/** It says of every model that a faster function or backend would do. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = () => {};
  return work().finally(() => {
    console.warn = warn;
  });
}

/** What TensorFlow.js makes of a graph model. */
export async function runGraph(
  tensorFlow: TensorFlow,
  artifacts: TensorFlowJSArtifacts,
  feeds: Readonly<Record<string, TensorValue>>,
  outputs: readonly string[],
): Promise<TensorValue[]> {
  const { tf, converter } = tensorFlow;
  const model = await converter.loadGraphModel(tf.io.fromMemory(structuredClone(artifacts)));
  const given = Object.fromEntries(Object.entries(feeds).map(([name, value]) => [name, tensorOf(tensorFlow, value)]));
  const results = await quietly(() => model.executeAsync(given, [...outputs]));
  return [results].flat().map(tensorIn);
}
