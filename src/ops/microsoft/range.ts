import { tensorType } from '../../graph/types.js';
import { defineOp } from '../../schema/definition.js';
import { numberAt } from '../../schema/shapes.js';
import { tensorOf } from '../../tensor/numbers.js';
import { range as onnx } from '../onnx/generator/range.js';

const DELTA = 2;

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.Range: the step is 1 by default. */
export const microsoftRange = defineOp({
  domain: 'com.microsoft',
  name: 'Range',
  signature: 'start: T, limit: T, delta?: T -> Y: T',
  types: { T: ['float32', 'float64', 'int16', 'int32', 'int64'] },
  planned: onnx.planned,
  infer(c) {
    for (const i of [0, 1, DELTA]) if (c.given(i)) numberAt(c, i);
    return [tensorType(c.element(0), [c.unknown()])];
  },
  decompose(c) {
    const delta = c.given(DELTA) ? c.input(DELTA) : c.constant(tensorOf(c.element(0), [], [1]));
    return c.emit('Range', [c.input(0), c.input(1), delta]);
  },
});
