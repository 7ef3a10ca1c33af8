import type { Value } from '../../graph/graph.js';
import type { Size } from '../../graph/sizes.js';
import { tensorType } from '../../graph/types.js';
import { ints } from '../../schema/attributes.js';
import { NUMERIC } from '../../schema/batch.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { indices, TO_FLOAT32 } from './constants.js';

interface Attributes {
  readonly inputdimensions: readonly number[] | undefined;
}

/** Shape of input `i` as [rows, columns]; rank 1 is one row. */
function sizeOf(c: Inference<Attributes>, i: number): readonly Size[] | undefined {
  const dims = c.dims(i);
  if (!dims) return undefined;
  if (dims.length !== 1 && dims.length !== 2)
    c.fail('INVALID_SHAPE', `input ${i} must have rank 1 or 2, not [${dims}]`);
  return dims.length === 1 ? [1, dims[0] as Size] : dims;
}

const widthOf = (c: Inference<Attributes>, i: number): Size | undefined =>
  c.attributes.inputdimensions?.[i] ?? sizeOf(c, i)?.[1];

/** Input `i` as a float32 matrix of the width in inputdimensions: cropped, or padded with zeros. */
function columnsOf(c: Decomposition<Attributes>, i: number, columns: number): Value {
  let x = c.input(i);
  if (c.element(i) !== 'float32') [x] = c.emit('Cast', [x], TO_FLOAT32) as [Value];
  if (c.dims(i)?.length === 1) [x] = c.emit('Reshape', [x, c.constant(indices(1, -1))]) as [Value];
  const missing = (widthOf(c, i) as number) - columns;
  return missing === 0 ? x : (c.emit('Pad', [x, c.constant(indices(0, 0, 0, missing))])[0] as Value);
}

/** https://onnx.ai/onnx/operators/onnx_aionnxml_FeatureVectorizer.html */
export const featureVectorizer = defineOp({
  domain: 'ai.onnx.ml',
  name: 'FeatureVectorizer',
  signature: 'X...: T1 -> Y: float32',
  types: { T1: NUMERIC },
  attributes: { inputdimensions: ints() },
  infer(c) {
    const { inputdimensions } = c.attributes;
    if (inputdimensions?.some((width) => width < 0))
      c.fail('INVALID_ATTRIBUTE', `inputdimensions [${inputdimensions}] must be non-negative`);
    const positions = Array.from({ length: c.inputCount }, (_, i) => i);
    const rows = sizeOf(c, 0)?.[0];
    if (rows === undefined) return [tensorType('float32')];
    const widths = positions.map((i) => widthOf(c, i));
    const known = widths.every((width) => typeof width === 'number');
    return [tensorType('float32', [rows, known ? (widths as number[]).reduce((a, b) => a + b, 0) : c.unknown()])];
  },
  decompose(c) {
    const sizes = Array.from({ length: c.inputCount }, (_, i) => sizeOf(c, i)?.[1]);
    if (!sizes.every((columns) => typeof columns === 'number')) return undefined;
    const parts = sizes.map((columns, i) => columnsOf(c, i, columns as number));
    return c.emit('Concat', parts, { axis: { type: 'int', value: 1 } });
  },
});
