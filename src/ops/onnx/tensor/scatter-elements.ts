import { stridesOf } from '../../../graph/dims.js';
import type { Dim } from '../../../graph/types.js';
import { int, string } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { ANY, INDICES } from '../../../schema/element-sets.js';
import { positionOf } from '../../../schema/positions.js';
import { axisOf, requireDims, sameAsInput } from '../../../schema/shapes.js';
import { integers } from '../../../tensor/tensor-value.js';
import { reductionOf, scatterOnHost } from './scatter-reduction.js';

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
  });

export const scatterElements = scattering('ScatterElements', 11);
export const scatter = scattering('Scatter', 9);
