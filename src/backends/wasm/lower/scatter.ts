import { ScatterReduction, Storage } from '../../../../build/kernels.js';
import { stridesOf } from '../../../graph/dims.js';
import { fixed, isSame } from '../../../graph/guards.js';
import { ceilDivide, multiply, product, type Size } from '../../../graph/sizes.js';
import type { Along } from '../../../primitives/along.js';
import { type ScatterParameters, scatterElements, scatterND } from '../../../primitives/scatter.js';
import { outsideOf } from '../../../schema/positions.js';
import { ELEMENTS, type ElementType } from '../../../tensor/element-types.js';
import { type Lowering, type Lowerings, lowers } from '../lowering.js';
import { STORAGES } from './elementwise.js';
import { grainOf } from './grain.js';
import { copyStrided } from './strided-copy.js';

/** Element types that the kernels can reduce, not only overwrite. */
const COMBINED: readonly ElementType[] = ['float32', 'float64', 'int32', 'int64'];

/** Copies the data to the output, and returns the launch's storage and reduction; 'host' for unsupported types. */
function startScatter(c: Lowering, { reduction }: ScatterParameters): { storage: number; reduction: number } | 'host' {
  const element = c.element(0);
  const storage = STORAGES[element];
  const count = product(c.shape(0));
  if (!storage || (reduction !== 'None' && !COMBINED.includes(element)) || isSame(count, 0)) return 'host';
  const whole = { strides: [1] };
  copyStrided(c, element, [count], { place: c.input(0), ...whole }, { place: c.output(0), ...whole });
  return { storage: Storage[storage], reduction: ScatterReduction[reduction] };
}

function lowerScatterElements(c: Lowering, parameters: ScatterParameters & Along): 'host' | undefined {
  const [data, space] = [c.shape(0), c.shape(1)];
  const { axis } = parameters;
  const start = startScatter(c, parameters);
  if (start === 'host') return start;
  const length = data[axis] as Size;
  const axisCount = space[axis] as Size;
  const others = <T>(values: readonly T[]) => values.filter((_, d) => d !== axis);
  const [updateStrides, strides] = [stridesOf(space), stridesOf(data)];
  const lines = product(others(space));
  const tileLines = grainOf(lines, multiply(8, axisCount));
  const params = {
    updates: c.input(2),
    indices: c.input(1),
    y: c.output(0),
    flag: c.guard(1, (indices, sizes) => outsideOf({ dims: sizes, axis })(indices), [length]),
    table: c.table([...others(space), ...others(updateStrides), ...others(strides)]),
    rank: space.length - 1,
    indexBytes: ELEMENTS[c.element(1)].bits / 8,
    lines,
    axisCount,
    axisDim: length,
    axisUpdateStride: updateStrides[axis] as Size,
    axisStride: strides[axis] as Size,
    ...start,
    tileLines,
  };
  c.launch('scatterElements', params, ceilDivide(lines, tileLines), { writes: [c.output(0)] });
}

function lowerScatterND(c: Lowering, parameters: ScatterParameters): 'host' | undefined {
  const [data, space] = [c.shape(0), c.shape(1)];
  const depth = fixed(space.at(-1) as Size);
  const start = startScatter(c, parameters);
  if (start === 'host') return start;
  const indexed = data.slice(0, depth);
  const tuples = product(space.slice(0, -1));
  const row = product(data.slice(depth));
  const tileColumns = grainOf(row, multiply(8, tuples));
  const params = {
    updates: c.input(2),
    indices: c.input(1),
    y: c.output(0),
    flag: c.guard(1, (indices, sizes) => outsideOf({ dims: sizes, axis: 0 })(indices), indexed),
    table: c.table([...indexed, ...stridesOf(indexed)]),
    depth,
    indexBytes: 8,
    tuples,
    row,
    ...start,
    tileColumns,
  };
  c.launch('scatter', params, ceilDivide(row, tileColumns), { writes: [c.output(0)] });
}

export const scatters: Lowerings = {
  ...lowers(scatterElements, lowerScatterElements),
  ...lowers(scatterND, lowerScatterND),
};
