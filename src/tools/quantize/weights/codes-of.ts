import type { Model } from '../../../model/document/model.js';
import { requireFinite } from '../require-finite.js';
import { activationAware } from './awq.js';
import type { Codes, Grid, Method } from './blocks.js';
import type { ByInputs, Found, Part } from './by-inputs.js';
import { gptq } from './gptq.js';
import { halfQuadratic } from './hqq.js';
import { kQuant } from './k-quant.js';
import { type Layer, sizeOf } from './layers.js';
import type { Observed } from './observed.js';
import type { Settings, WeightMethod } from './options.js';
import { roundFromZero } from './round-from-zero.js';
import { roundToNearest } from './round-to-nearest.js';
import { type Strip, stripsOf } from './strips.js';

const BY_WEIGHTS: Partial<Record<WeightMethod, Method>> = {
  default: roundFromZero,
  rtn: roundToNearest,
  kquant: kQuant,
  hqq: halfQuadratic,
};

/** Zero points of tables are integers, and of whatever has 8 bits: onnxruntime takes no others there. */
const WITH_INTEGERS: Partial<Record<WeightMethod, Method>> = { ...BY_WEIGHTS, hqq: kQuant, gptq: kQuant, awq: kQuant };

/** Methods for which blocks have nothing to do with each other. */
const LOCAL: ReadonlySet<Method> = new Set([roundFromZero, roundToNearest, kQuant]);

/** The weight as blocks, column after column. */
async function blocksOf(model: Model, layer: Layer, block: number): Promise<Float32Array> {
  const { n, k } = sizeOf(layer);
  const room = Math.ceil(k / block) * block;
  const all = new Float32Array(n * room);
  for await (const strip of stripsOf(model, layer, block)) {
    requireFinite(layer.weight.name, strip.values);
    place(all, room, strip.values, strip, 1);
  }
  return all;
}

/** Puts what belongs to a strip, one for each `per` of its numbers, where it belongs among all columns of `room`. */
function place<T extends Uint8Array | Float32Array>(
  all: T,
  room: number,
  own: T,
  { column, step, width }: Strip,
  per: number,
): void {
  const count = width / per;
  for (let i = 0; i < own.length / count; i++)
    all.set(own.subarray(i * count, (i + 1) * count), ((column + i) * room + step) / per);
}

async function codesByStrips(model: Model, layer: Layer, method: Method, grid: Grid): Promise<Codes> {
  const { block } = grid;
  const all = blankCodes(layer, method, grid);
  const room = all.codes.length / sizeOf(layer).n;
  for await (const strip of stripsOf(model, layer, block)) {
    requireFinite(layer.weight.name, strip.values);
    const { codes, scales, zeros } = method(strip.values, grid);
    place(all.codes, room, codes, strip, 1);
    place(all.scales, room, scales, strip, block);
    if (all.zeros && zeros) place(all.zeros as Uint8Array, room, zeros as Uint8Array, strip, block);
  }
  return all;
}

/** Room for what a method makes of a layer. */
function blankCodes(layer: Layer, method: Method, grid: Grid): Codes {
  const { n, k } = sizeOf(layer);
  const count = n * Math.ceil(k / grid.block);
  const { zeros } = method(new Float32Array(grid.block), grid);
  const Zeros = zeros?.constructor as (new (length: number) => Uint8Array) | undefined;
  return {
    codes: new Uint8Array(count * grid.block),
    scales: new Float32Array(count),
    zeros: Zeros && new Zeros(count),
  };
}

const BY_INPUTS: Partial<Record<WeightMethod, ByInputs>> = {
  gptq: (parts, gram) => ({ codes: parts.map(({ values, grid }) => gptq(values, grid, gram)) }),
  awq: activationAware,
};

/** Whether it takes to run the model. */
export const needsInputs = (layer: Layer, { method }: Settings): boolean =>
  Object.hasOwn(BY_INPUTS, method) && layer.sites.every(({ role }) => role === 'product');

const gridOf = ({ bits }: Layer, { block, symmetric }: Settings): Grid => ({ bits, block, symmetric });

/** What serves a layer that is rounded by its weights alone. */
function methodOf(layer: Layer, { method }: Settings): Method {
  const needsIntegers = layer.bits === 8 || layer.sites.some(({ role }) => role === 'table');
  return (needsIntegers ? WITH_INTEGERS : BY_WEIGHTS)[method] as Method;
}

export async function codesOf(model: Model, layer: Layer, settings: Settings): Promise<Codes> {
  const [method, grid] = [methodOf(layer, settings), gridOf(layer, settings)];
  if (LOCAL.has(method)) return codesByStrips(model, layer, method, grid);
  return method(await blocksOf(model, layer, settings.block), grid);
}

/** Zeros in place of what `codesOf` gives. */
export const blankCodesOf = (layer: Layer, settings: Settings): Codes =>
  blankCodes(layer, methodOf(layer, settings), gridOf(layer, settings));

/** Layers that read the same, rounded as it is best for what they read. */
export async function foundOf(model: Model, { layers, gram, inputs }: Observed, settings: Settings): Promise<Found> {
  const parts: Part[] = [];
  for (const layer of layers)
    parts.push({ values: await blocksOf(model, layer, settings.block), grid: gridOf(layer, settings) });
  if (inputs.length > 1 && settings.method === 'awq')
    return { codes: parts.map(({ values, grid }) => roundFromZero(values, grid)) };
  return (BY_INPUTS[settings.method] as ByInputs)(parts, gram);
}
