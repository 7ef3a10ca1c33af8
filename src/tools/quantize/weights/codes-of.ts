import { SardonyxError } from '../../../base/errors.js';
import type { Model } from '../../../model/document/model.js';
import { floatsOf } from '../tensor-data.js';
import { activationAware } from './awq.js';
import type { Codes, Method } from './blocks.js';
import type { ByInputs, Found, Part } from './by-inputs.js';
import { gptq } from './gptq.js';
import { halfQuadratic } from './hqq.js';
import { kQuant } from './k-quant.js';
import { type Layer, sizeOf } from './layers.js';
import type { Observed } from './observed.js';
import type { Settings, WeightMethod } from './options.js';
import { roundFromZero } from './round-from-zero.js';
import { roundToNearest } from './round-to-nearest.js';

const BY_WEIGHTS: Partial<Record<WeightMethod, Method>> = {
  default: roundFromZero,
  rtn: roundToNearest,
  kquant: kQuant,
  hqq: halfQuadratic,
};

/** Zero points of tables are integers, and of whatever has 8 bits: onnxruntime takes no others there. */
const WITH_INTEGERS: Partial<Record<WeightMethod, Method>> = { ...BY_WEIGHTS, hqq: kQuant, gptq: kQuant, awq: kQuant };

/** The weight as blocks, the last of each column filled up with 0. */
async function blocksOf(model: Model, layer: Layer, block: number): Promise<Float32Array> {
  const { n, k } = sizeOf(layer);
  const stored = await floatsOf(model, layer.weight);
  const room = Math.ceil(k / block) * block;
  if (layer.byRows && room === k) return stored;
  const [byColumn, byStep] = layer.byRows ? [k, 1] : [1, n];
  const values = new Float32Array(n * room);
  for (let column = 0; column < n; column++)
    for (let i = 0; i < k; i++) values[column * room + i] = stored[column * byColumn + i * byStep] as number;
  return values;
}

const BY_INPUTS: Partial<Record<WeightMethod, ByInputs>> = {
  gptq: (parts, gram) => ({ codes: parts.map(({ values, grid }) => gptq(values, grid, gram)) }),
  awq: activationAware,
};

/** Whether it takes to run the model. */
export const needsInputs = (layer: Layer, { method }: Settings): boolean =>
  Object.hasOwn(BY_INPUTS, method) && layer.sites.every(({ role }) => role === 'product');

async function partOf(model: Model, layer: Layer, { block, symmetric }: Settings): Promise<Part> {
  const values = await blocksOf(model, layer, block);
  requireFinite(layer, values);
  return { values, grid: { bits: layer.bits, block, symmetric } };
}

export async function codesOf(model: Model, layer: Layer, settings: Settings): Promise<Codes> {
  const needsIntegers = layer.bits === 8 || layer.sites.some(({ role }) => role === 'table');
  const method = (needsIntegers ? WITH_INTEGERS : BY_WEIGHTS)[settings.method] as Method;
  const { values, grid } = await partOf(model, layer, settings);
  return method(values, grid);
}

/** Layers that read the same, rounded as it is best for what they read. */
export async function foundOf(model: Model, { layers, gram, inputs }: Observed, settings: Settings): Promise<Found> {
  const parts: Part[] = [];
  for (const layer of layers) parts.push(await partOf(model, layer, settings));
  if (inputs.length > 1 && settings.method === 'awq')
    return { codes: parts.map(({ values, grid }) => roundFromZero(values, grid)) };
  return (BY_INPUTS[settings.method] as ByInputs)(parts, gram);
}

function requireFinite({ weight: { name } }: Layer, values: Float32Array): void {
  const bad = values.find((x) => !Number.isFinite(x));
  if (bad === undefined) return;
  throw new SardonyxError('INVALID_MODEL', `has ${bad} among its numbers, which no scale fits; exclude it`, {
    value: name,
  });
}
