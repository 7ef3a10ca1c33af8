import { SardonyxError } from '../../../base/errors.js';
import type { Model } from '../../../model/document/model.js';
import { floatsOf } from '../tensor-data.js';
import type { Codes, Method } from './blocks.js';
import { halfQuadratic } from './hqq.js';
import { kQuant } from './k-quant.js';
import { type Layer, sizeOf } from './layers.js';
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

export async function codesOf(model: Model, layer: Layer, settings: Settings): Promise<Codes> {
  const { block, symmetric, method: name } = settings;
  const needsIntegers = layer.bits === 8 || layer.sites.some(({ role }) => role === 'table');
  const methods = needsIntegers ? WITH_INTEGERS : BY_WEIGHTS;
  const method = methods[name];
  if (!method) throw new SardonyxError('UNSUPPORTED_OPERATOR', `the method ${name} is not there yet`);
  const values = await blocksOf(model, layer, block);
  const bad = values.findIndex((x) => !Number.isFinite(x));
  if (bad >= 0)
    throw new SardonyxError('INVALID_MODEL', `has ${values[bad]} among its numbers, which no scale fits; exclude it`, {
      value: layer.weight.name,
    });
  return method(values, { bits: layer.bits, block, symmetric });
}
