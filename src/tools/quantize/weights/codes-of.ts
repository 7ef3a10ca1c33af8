import { SardonyxError } from '../../../base/errors.js';
import type { Model } from '../../../model/document/model.js';
import { dimsOf, floatsOf } from '../tensor-data.js';
import type { Codes, Method } from './blocks.js';
import { halfQuadratic } from './hqq.js';
import { kQuant } from './k-quant.js';
import type { Settings, WeightMethod } from './options.js';
import type { Layer } from './quantize-weights.js';
import { roundFromZero } from './round-from-zero.js';
import { roundToNearest } from './round-to-nearest.js';

const BY_WEIGHTS: Partial<Record<WeightMethod, Method>> = {
  default: roundFromZero,
  rtn: roundToNearest,
  kquant: kQuant,
  hqq: halfQuadratic,
};

/** Zero points of tables are integers. */
const FOR_TABLES: Partial<Record<WeightMethod, Method>> = { ...BY_WEIGHTS, hqq: kQuant, gptq: kQuant, awq: kQuant };

/** The size of a layer: columns of the result, and what each is a sum of. */
export function sizeOf({ weight, byRows }: Pick<Layer, 'weight' | 'byRows'>): { n: number; k: number } {
  const [rows = 0, columns = 0] = dimsOf(weight);
  return byRows ? { n: rows, k: columns } : { n: columns, k: rows };
}

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
  const methods = layer.sites.some(({ role }) => role === 'table') ? FOR_TABLES : BY_WEIGHTS;
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
