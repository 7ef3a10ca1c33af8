import type { Take } from '../../../model/document/left-bytes.js';
import type { Model } from '../../../model/document/model.js';
import { requireFinite } from '../require-finite.js';
import { activationAware } from './awq.js';
import type { Codes, Grid, LocalMethod, Method, Place } from './blocks.js';
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

/** Methods for tables and for 8 bits, for which onnxruntime requires integer zero points. */
const WITH_INTEGERS: Partial<Record<WeightMethod, Method>> = { ...BY_WEIGHTS, hqq: kQuant, gptq: kQuant, awq: kQuant };

const LOCAL: readonly LocalMethod[] = [roundFromZero, roundToNearest, kQuant];

/** Reusable memory for a layer, valid until the next layer takes it. */
export interface Rooms {
  /** Memory for reading, with two pieces in use at a time. */
  readonly weights: Take;
  readonly codes: Take;
  readonly scales: Take;
}

/** Reads a weight as blocks, column by column. */
async function blocksOf(model: Model, layer: Layer, block: number): Promise<Float32Array> {
  const { n, k } = sizeOf(layer);
  const room = Math.ceil(k / block) * block;
  const all = new Float32Array(n * room);
  for await (const strip of stripsOf(model, layer, block)) {
    requireFinite(layer.weight.name, strip.values);
    const { column, step, width, values } = strip;
    for (let i = 0; i < values.length / width; i++)
      all.set(values.subarray(i * width, (i + 1) * width), (column + i) * room + step);
  }
  return all;
}

/** Maps blocks of a strip to positions among all columns, each with the given number of blocks. */
function placeOf({ column, step, width }: Strip, block: number, blocks: number): Place {
  const [first, count] = [column * blocks + step / block, width / block];
  return (b) => first + Math.floor(b / count) * blocks + (b % count);
}

async function codesByStrips(
  model: Model,
  layer: Layer,
  method: LocalMethod,
  grid: Grid,
  rooms: Rooms,
): Promise<Codes> {
  const { block } = grid;
  const all = roomFor(layer, method, grid, rooms);
  const blocks = all.scales.length / sizeOf(layer).n;
  for await (const strip of stripsOf(model, layer, block, rooms.weights)) {
    requireFinite(layer.weight.name, strip.values);
    method(strip.values, grid, all, placeOf(strip, block, blocks));
  }
  return all;
}

/** Allocates the result of a method for a layer. */
function roomFor(layer: Layer, method: Method, grid: Grid, rooms: Rooms): Codes {
  const { n, k } = sizeOf(layer);
  const count = n * Math.ceil(k / grid.block);
  const { zeros } = method(new Float32Array(grid.block), grid);
  const Zeros = zeros?.constructor as (new (length: number) => Uint8Array) | undefined;
  const { buffer, byteOffset } = rooms.scales(count * Float32Array.BYTES_PER_ELEMENT);
  return {
    codes: rooms.codes(count * grid.block),
    scales: new Float32Array(buffer, byteOffset, count),
    zeros: Zeros && new Zeros(count),
  };
}

const BY_INPUTS: Partial<Record<WeightMethod, ByInputs>> = {
  gptq: (parts, gram) => ({ codes: parts.map(({ values, grid }) => gptq(values, grid, gram)) }),
  awq: activationAware,
};

/** Whether the method needs the inputs of the layer, and therefore runs of the model. */
export const needsInputs = (layer: Layer, { method }: Settings): boolean =>
  Object.hasOwn(BY_INPUTS, method) && layer.sites.every(({ role }) => role === 'product');

const gridOf = ({ bits }: Layer, { block, symmetric }: Settings): Grid => ({ bits, block, symmetric });

/** The method for a layer without statistics of its inputs. */
function methodOf(layer: Layer, { method }: Settings): Method {
  const needsIntegers = layer.bits === 8 || layer.sites.some(({ role }) => role === 'table');
  return (needsIntegers ? WITH_INTEGERS : BY_WEIGHTS)[method] as Method;
}

/** Quantizes a layer. The result may be in `rooms`. */
export async function codesOf(model: Model, layer: Layer, settings: Settings, rooms: Rooms): Promise<Codes> {
  const [method, grid] = [methodOf(layer, settings), gridOf(layer, settings)];
  const local = LOCAL.find((each) => each === method);
  if (local) return codesByStrips(model, layer, local, grid, rooms);
  return method(await blocksOf(model, layer, settings.block), grid);
}

/** Allocates the result of `codesOf`. */
export const blankCodesOf = (layer: Layer, settings: Settings, rooms: Rooms): Codes =>
  roomFor(layer, methodOf(layer, settings), gridOf(layer, settings), rooms);

/** Quantizes layers with the same input by its statistics. */
export async function foundOf(model: Model, { layers, gram, inputs }: Observed, settings: Settings): Promise<Found> {
  const parts: Part[] = [];
  for (const layer of layers)
    parts.push({ values: await blocksOf(model, layer, settings.block), grid: gridOf(layer, settings) });
  if (inputs.length > 1 && settings.method === 'awq')
    return { codes: parts.map(({ values, grid }) => roundFromZero(values, grid)) };
  return (BY_INPUTS[settings.method] as ByInputs)(parts, gram);
}
