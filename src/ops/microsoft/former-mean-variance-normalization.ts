import { intsAttribute } from '../../graph/attributes.js';
import { int } from '../../schema/attributes.js';
import { defineOp } from '../../schema/definition.js';
import { FLOATS } from '../../schema/element-sets.js';
import { sameAsInput } from '../../schema/shapes.js';
import { emitOne, listOf } from '../emit.js';

/** https://github.com/onnx/onnx/blob/rel-1.3/docs/Operators.md#experimental-meanvariancenormalization: the version without axes. */
export const formerMeanVarianceNormalization = defineOp({
  name: 'MeanVarianceNormalization',
  signature: 'input: T -> output: T',
  types: { T: FLOATS },
  attributes: { across_channels: int(0), normalize_variance: int(1) },
  infer(c) {
    const dims = c.dims(0);
    if (dims && dims.length < 3) c.fail('INVALID_SHAPE', `input 0 must be [N, C, spatial…], not [${dims}]`);
    return sameAsInput(c);
  },
  decompose(c) {
    const dims = c.dims(0);
    const { across_channels, normalize_variance } = c.attributes;
    const axes = dims?.map((_, axis) => axis).filter((axis) => across_channels || axis !== 1);
    if (!axes) return undefined;
    if (normalize_variance) return c.emit('MeanVarianceNormalization', [c.input(0)], { axes: intsAttribute(axes) });
    return c.emit('Sub', [c.input(0), emitOne(c, 'ReduceMean', [c.input(0), listOf(c, axes)])]);
  },
});
