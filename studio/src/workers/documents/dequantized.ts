import { type Model, type NodeProto, openTensor } from 'sardonyx/model';
import { toNumbers } from 'sardonyx/tensors';
import { type Int64, toNumber } from '../../../../src/model/int64.js';
import type { Readable } from '../tensors/readable.js';
import { type Body, graphAt } from './graph-at.js';
import { initializerOf } from './tensor-at.js';

type Numbers = Float32Array | Float64Array;

/** The DequantizeLinear node that reads an initializer, if its scale is also an initializer. */
export const dequantizerOf = (graph: Body, name: string): NodeProto | undefined =>
  graph.node.find(
    ({ opType, input }) =>
      opType === 'DequantizeLinear' && input[0] === name && initializerOf(graph, input[1] ?? '') !== undefined,
  );

/** (stored − zero point) · scale, per tensor, axis or block: https://onnx.ai/onnx/operators/onnx__DequantizeLinear.html */
export async function dequantized(
  model: Model,
  { graph: path, name }: { readonly graph: string; readonly name: string },
  stored: Readable,
): Promise<Readable> {
  const graph = graphAt(model.proto, path);
  const node = dequantizerOf(graph, name);
  if (!node) throw new Error(`no DequantizeLinear with a constant scale reads "${name}"`);
  const scale = (await numbersOf(model, graph, node.input[1])) as Numbers;
  const zero = await numbersOf(model, graph, node.input[2]);
  const place = placeOf(stored.dims, scale.length, node);
  const real = (codes: Numbers, begin: number): Float32Array => {
    const values = new Float32Array(codes.length);
    for (let i = 0; i < codes.length; i++) {
      const at = place(begin + i);
      values[i] = ((codes[i] as number) - (zero?.[at] ?? 0)) * (scale[at] as number);
    }
    return values;
  };
  const read: Readable['read'] = async (begin, end) => {
    const codes = toNumbers(await stored.read(begin, end));
    return { type: 'float32', dims: [end - begin], data: real(codes, begin) };
  };
  return { type: 'float32', dims: stored.dims, count: stored.count, read };
}

async function numbersOf(model: Model, graph: Body, name: string | undefined): Promise<Numbers | undefined> {
  const tensor = name ? initializerOf(graph, name) : undefined;
  if (!tensor) return undefined;
  const reader = await openTensor(tensor as never, model);
  return toNumbers(await reader.read(0, reader.count));
}

/** Maps an element's index to the index of its scale. */
function placeOf(dims: readonly number[], scales: number, { attribute }: NodeProto): (element: number) => number {
  if (scales === 1) return () => 0;
  const integer = (name: string, fallback: number) => {
    const found = attribute.find((each) => each.name === name);
    return found ? toNumber(found.i as Int64) : fallback;
  };
  const axis = (integer('axis', 1) + dims.length) % dims.length;
  const [size, block] = [dims[axis] as number, integer('block_size', 0)];
  const inner = dims.slice(axis + 1).reduce((product, each) => product * each, 1);
  if (block === 0) return (element) => Math.floor(element / inner) % size;
  const blocks = Math.ceil(size / block);
  return (element) => {
    const [outer, rest] = [Math.floor(element / (size * inner)), element % (size * inner)];
    return (outer * blocks + Math.floor(rest / inner / block)) * inner + (rest % inner);
  };
}
