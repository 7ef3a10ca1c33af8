import { NodeProto, TensorProto } from '../../../../build/onnx.js';
import { ELEMENTS, type ElementType } from '../../../tensor/element-types.js';
import { attributeOf, block, int, tensor, tensorProto } from '../node.js';
import {
  constantIn,
  type Draft,
  draftOf,
  neededDims,
  neededElement,
  numbersIn,
  type Recipe,
  type Recipes,
  type Step,
} from '../step.js';

/** Expands a single value to the shape. */
const expanded: Recipe = (step) => {
  const { node, fresh } = step;
  const given = attributeOf(node, 'value')?.t;
  const value = given ? new TensorProto({ ...given, dims: [] }) : tensorProto('float32', [], [0]);
  const name = fresh(`${node.output[0]}_value`);
  const expand = new NodeProto({ ...node, opType: 'Expand', input: [name, node.input[0] as string], attribute: [] });
  return [constantIn(step, name, value), expand];
};

/** Replaces Expand by Tile, which repeats axes of size 1. */
const tiled: Recipe = (step) => {
  const [dims, [length]] = [neededDims(step, 0), neededDims(step, 1)];
  if (typeof length !== 'number' || !dims.every((dim) => typeof dim === 'number'))
    return block('the expanded axes are unknown, and Expand needs opset 8');
  const draft = draftOf(step);
  const rank = Math.max(length, dims.length);
  const [x, shape] = step.node.input as [string, string];
  if (rank === 0) return draft.end('Identity', [x]);
  const sizes = [...new Array<number>(rank - dims.length).fill(1), ...(dims as readonly number[])];
  const spread = rank > dims.length ? draft.emit('Reshape', [x, draft.vector(sizes)]) : x;
  const ones = new Array<number>(rank - length).fill(1);
  const all = ones.length > 0 ? draft.emit('Concat', [draft.vector(ones), shape], [int('axis', 0)]) : shape;
  return draft.end('Tile', [spread, repeats(step, draft, all, sizes)]);
};

function repeats(step: Step, draft: Draft, shape: string, sizes: readonly number[]): string {
  const isSpread = sizes.map((size) => Number(size === 1));
  if (isSpread.every(Boolean)) return shape;
  const known = numbersIn(step, 1);
  const all = known && [...sizes.slice(known.length).fill(1), ...known];
  if (all) return draft.vector(all.map((size, i) => (isSpread[i] ? size : 1)));
  const spread = draft.emit('Mul', [shape, draft.vector(isSpread)]);
  return draft.emit('Add', [spread, draft.vector(isSpread.map((is) => 1 - is))]);
}

/** The type to count in. Older versions have no int16 arithmetic, and runtimes subtract floats in double precision. */
const WIDER: Readonly<Partial<Record<ElementType, ElementType>>> = { int16: 'int32', float32: 'float64' };

const ONE = tensor('value', tensorProto('int64', [1], [1]));

/** Computes start + i · step in doubles. The indices i come from a tensor of ones with the length of the range. */
const counted: Recipe = (step) => {
  const own = neededElement(step, 0);
  const element = WIDER[own] ?? own;
  const draft = draftOf(step);
  const cast = (x: string, to: ElementType) => draft.emit('Cast', [x], [int('to', ELEMENTS[to].onnx)]);
  const [start, limit, by] = step.node.input.map((name) => (own === element ? name : cast(name, element))) as [
    string,
    string,
    string,
  ];
  const way = cast(draft.emit('Sub', [limit, start]), 'float64');
  const steps = draft.emit('Ceil', [draft.emit('Div', [way, cast(by, 'float64')])]);
  const count = cast(draft.emit('Max', [steps, draft.constant('float64', [], [0])]), 'int64');
  const shape = draft.emit('Reshape', [count, draft.vector([1])]);
  const places = draft.emit('NonZero', [draft.emit('ConstantOfShape', [shape], [ONE])]);
  const flat = draft.emit('Reshape', [places, draft.vector([-1])]);
  const values = draft.emit('Mul', [cast(flat, element), by]);
  if (own === element) return draft.end('Add', [values, start]);
  return draft.end('Cast', [draft.emit('Add', [values, start])], [int('to', ELEMENTS[own].onnx)]);
};

export const FILLING: Recipes = {
  'ConstantOfShape 9': { down: expanded },
  'Expand 8': { down: tiled },
  'Range 11': { down: counted },
};
