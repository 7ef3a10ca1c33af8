import { ScatterReduction, Storage } from '../../../../build/kernels.js';
import { stridesOf } from '../../../graph/dims.js';
import type { Along } from '../../../primitives/along.js';
import { type ScatterParameters, scatterElements, scatterND } from '../../../primitives/scatter.js';
import { outsideOf } from '../../../schema/positions.js';
import { ELEMENTS, type ElementType } from '../../../tensor/element-types.js';
import { elementCount } from '../../../tensor/tensor-value.js';
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
  const count = elementCount(c.shape(0));
  if (!storage || (reduction !== 'None' && !COMBINED.includes(element)) || count === 0) return 'host';
  const whole = { strides: [1] };
  copyStrided(c, element, [count], { place: c.input(0), ...whole }, { place: c.output(0), ...whole });
  return { storage: Storage[storage], reduction: ScatterReduction[reduction] };
}

function lowerScatterElements(c: Lowering, parameters: ScatterParameters & Along): 'host' | undefined {
  const [data, space] = [c.shape(0), c.shape(1)];
  const { axis } = parameters;
  const start = startScatter(c, parameters);
  if (start === 'host') return start;
  const axisCount = space[axis] as number;
  const others = <T>(values: readonly T[]) => values.filter((_, d) => d !== axis);
  const [updateStrides, strides] = [stridesOf(space), stridesOf(data)];
  const lines = elementCount(others(space));
  const tileLines = grainOf(lines, 8 * axisCount);
  const params = {
    updates: c.input(2),
    indices: c.input(1),
    y: c.output(0),
    flag: c.guard(1, outsideOf({ dims: [data[axis] as number], axis })),
    table: c.table(Int32Array.from([...others(space), ...others(updateStrides), ...others(strides)])),
    rank: space.length - 1,
    indexBytes: ELEMENTS[c.element(1)].bits / 8,
    lines,
    axisCount,
    axisDim: data[axis] as number,
    axisUpdateStride: updateStrides[axis] as number,
    axisStride: strides[axis] as number,
    ...start,
    tileLines,
  };
  c.launch('scatterElements', params, Math.ceil(lines / tileLines), { writes: [c.output(0)] });
}

function lowerScatterND(c: Lowering, parameters: ScatterParameters): 'host' | undefined {
  const [data, space] = [c.shape(0), c.shape(1)];
  const depth = space.at(-1) as number;
  const start = startScatter(c, parameters);
  if (start === 'host') return start;
  const tuples = elementCount(space.slice(0, -1));
  const row = elementCount(data.slice(depth));
  const tileColumns = grainOf(row, 8 * tuples);
  const params = {
    updates: c.input(2),
    indices: c.input(1),
    y: c.output(0),
    flag: c.guard(1, outsideOf({ dims: data.slice(0, depth), axis: 0 })),
    table: c.table(Int32Array.from([...data.slice(0, depth), ...stridesOf(data.slice(0, depth))])),
    depth,
    indexBytes: 8,
    tuples,
    row,
    ...start,
    tileColumns,
  };
  c.launch('scatter', params, Math.ceil(row / tileColumns), { writes: [c.output(0)] });
}

export const scatters: Lowerings = {
  ...lowers(scatterElements, lowerScatterElements),
  ...lowers(scatterND, lowerScatterND),
};
