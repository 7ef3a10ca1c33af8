import { grainOf } from '../../backends/wasm/lower/grain.js';
import { stridesOf } from '../../graph/dims.js';
import type { Dim } from '../../graph/types.js';
import { ELEMENTS } from '../../tensor/element-types.js';
import { elementCount, integers } from '../../tensor/tensor-value.js';
import { int, string } from '../attributes.js';
import { defineOp } from '../definition.js';
import { ANY, INDICES } from '../element-sets.js';
import { outsideOf, positionOf } from '../positions.js';
import { axisOf, requireDims, sameAsInput } from '../shapes.js';
import { reductionOf, scatterOnHost, startScatter } from './scatter-reduction.js';

/** https://onnx.ai/onnx/operators/onnx__ScatterElements.html and its older name, Scatter. */
const scattering = (name: string, since: number) =>
  defineOp({
    name,
    since,
    signature: 'data: T, indices: Tind, updates: T -> output: T',
    types: { T: ANY, Tind: INDICES },
    attributes: { axis: int(0), reduction: string('none') },
    infer(c) {
      const [data, space] = [c.dims(0), c.dims(1)];
      const axis = data && axisOf(c, c.attributes.axis, data.length);
      if (data && space) {
        const beyond = (d: Dim, i: number) => i !== axis && d > (data[i] as Dim);
        if (data.length !== space.length || space.some(beyond))
          c.fail('INVALID_SHAPE', `indices [${space}] do not fit into data [${data}] beside axis ${axis}`);
        requireDims(c, 2, space);
      }
      return sameAsInput(c);
    },
    evaluate(c) {
      const [x, indices, updates] = [c.tensor(0), c.tensor(1), c.tensor(2)];
      const axis = axisOf(c, c.attributes.axis, x.dims.length);
      const [strides, own] = [stridesOf(x.dims), stridesOf(indices.dims)];
      const targets = integers(indices).map((index, i) =>
        strides.reduce((sum, stride, d) => {
          const at = Math.floor(i / (own[d] as number)) % (indices.dims[d] as number);
          return sum + stride * (d === axis ? positionOf(c, index, x.dims[axis] as number, axis) : at);
        }, 0),
      );
      return [scatterOnHost(x, updates, targets, 1, reductionOf(c))];
    },
    lower(c) {
      const [data, space] = [c.shape(0), c.shape(1)];
      const axis = axisOf(c, c.attributes.axis, data.length);
      const start = startScatter(c);
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
    },
  });

export const scatterElements = scattering('ScatterElements', 11);
export const scatter = scattering('Scatter', 9);
