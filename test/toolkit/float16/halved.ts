import * as assert from 'uvu/assert';
import type { ValueMetadata } from '../../../src/graph/metadata.js';
import type { Feeds } from '../../../src/session/feeds.js';
import { numbersOf } from '../../../src/tensor/numbers.js';
import { type HostValue, isTensorValue, type TensorValue } from '../../../src/tensor/tensor-value.js';
import { generatedInput, randomNumbers } from '../../../src/tools/generated-input.js';
import {
  checkModel,
  type Float16Options,
  loadModel,
  type Model,
  saveModel,
  toFloat16,
} from '../../../src/tools/index.js';
import { open } from '../../session/run-model.js';

export type Results = Readonly<Record<string, HostValue>>;

/** What a model comes to: as valid as it was, and its order that of need. */
export async function halved(source: Uint8Array | Model, options: Float16Options = {}) {
  const model = source instanceof Uint8Array ? await loadModel(source) : source;
  const { model: half, report } = await toFloat16(model, options);
  const bytes = await saveModel(half);
  const loaded = await loadModel(bytes);
  const complaints = async (checked: Model) =>
    (await checkModel(checked, { full: true })).map(({ message }) => message).sort();
  assert.equal(await complaints(loaded), await complaints(model));
  return { bytes, report, model: loaded };
}

export const nodesOf = ({ proto }: Model): string[] => proto.graph?.node.map(({ opType }) => opType) ?? [];

/** Every operator by itself, so that what it gives is rounded. */
export async function results(bytes: Uint8Array, feeds: Feeds): Promise<Results> {
  const session = await open(bytes, { graphOptimizationLevel: 'disabled' });
  try {
    return await session.run(feeds);
  } finally {
    await session.release();
  }
}

/** Inputs for a model: sizes by their names, and two where nothing is said; masks let everything pass. */
export async function feedsFor(bytes: Uint8Array, sizes: Readonly<Record<string, number>> = {}): Promise<Feeds> {
  const session = await open(bytes);
  const random = randomNumbers(1);
  const tensorFor = ({ name, type, shape }: Extract<ValueMetadata, { isTensor: true }>): TensorValue => {
    const dims = shape.map((size) => (typeof size === 'number' ? size : (sizes[size] ?? 2)));
    const made = generatedInput(type, dims, random);
    return /mask/.test(name) && type === 'int64'
      ? { ...made, data: new BigInt64Array(made.data.length).fill(1n) }
      : made;
  };
  const feeds = session.inputMetadata.map((input) => [input.name, input.isTensor ? tensorFor(input) : []]);
  await session.release();
  return Object.fromEntries(feeds);
}

/** ‖actual − expected‖ / ‖expected‖ of an output, whatever floats it is of; NaN is an infinite error. */
export function errorOf(actual: HostValue | undefined, expected: HostValue | undefined): number {
  assert.ok(actual && expected && isTensorValue(actual) && isTensorValue(expected));
  const [a, e] = [numbersOf(actual), numbersOf(expected)];
  assert.equal(actual.dims, expected.dims);
  let [apart, size] = [0, 0];
  for (let i = 0; i < e.length; i++) {
    const [x, y] = [Number(a[i]), Number(e[i])];
    if (x === y || (Number.isNaN(x) && Number.isNaN(y))) continue;
    if (Number.isNaN(x)) return Number.POSITIVE_INFINITY;
    apart += (x - y) ** 2;
  }
  for (let i = 0; i < e.length; i++) if (Number.isFinite(Number(e[i]))) size += Number(e[i]) ** 2;
  return apart === 0 ? 0 : Math.sqrt(apart / size);
}
