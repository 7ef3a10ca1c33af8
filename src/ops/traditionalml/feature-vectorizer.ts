import { type Dim, tensorType } from '../../graph/types.js';
import { ints } from '../attributes.js';
import { defineOp } from '../definition.js';
import { FEATURES, featureRows, rowCount } from './rows.js';

/** https://onnx.ai/onnx/operators/onnx_aionnxml_FeatureVectorizer.html; inputs are cut or filled up with 0 to their dimension. */
export const featureVectorizer = defineOp({
  domain: 'ai.onnx.ml',
  name: 'FeatureVectorizer',
  signature: 'X...: T1 -> Y: float32',
  types: { T1: FEATURES },
  attributes: { inputdimensions: ints() },
  infer(c) {
    const widths = c.attributes.inputdimensions ?? c.node.inputs.map((_, i): Dim => c.dims(i)?.at(-1) ?? c.unknown());
    const isKnown = widths.every((w) => typeof w === 'number');
    const total = isKnown ? (widths as number[]).reduce((a, b) => a + b, 0) : c.unknown();
    return [tensorType('float32', [rowCount(c), total])];
  },
  evaluate(c) {
    const parts = c.node.inputs.map((_, i) => featureRows(c.tensor(i)));
    const widths = parts.map(({ columns }, i) => c.attributes.inputdimensions?.[i] ?? columns);
    const total = widths.reduce((a, b) => a + b, 0);
    const rows = parts[0]?.rows ?? 0;
    const data = new Float32Array(rows * total);
    let offset = 0;
    parts.forEach(({ columns, values }, i) => {
      const width = widths[i] as number;
      for (let row = 0; row < rows; row++)
        for (let k = 0; k < Math.min(width, columns); k++)
          data[row * total + offset + k] = values[row * columns + k] as number;
      offset += width;
    });
    return [{ type: 'float32', dims: [rows, total], data }];
  },
});
