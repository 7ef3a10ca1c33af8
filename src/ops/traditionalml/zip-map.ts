import type { ValueType } from '../../graph/types.js';
import { ints, strings } from '../attributes.js';
import { defineOp } from '../definition.js';
import { featureRows } from './rows.js';

/** https://onnx.ai/onnx/operators/onnx_aionnxml_ZipMap.html */
export const zipMap = defineOp({
  domain: 'ai.onnx.ml',
  name: 'ZipMap',
  signature: 'X: float32 -> Z: T',
  attributes: { classlabels_strings: strings(), classlabels_int64s: ints() },
  infer(c): ValueType[] {
    const key = c.attributes.classlabels_strings?.length ? 'string' : 'int64';
    return [{ kind: 'sequence', of: { kind: 'map', key, value: { kind: 'tensor', element: 'float32', dims: [] } } }];
  },
  evaluate(c) {
    const { classlabels_strings: names, classlabels_int64s: numbers } = c.attributes;
    const keys: readonly (string | bigint)[] = names?.length ? names : (numbers ?? []).map(BigInt);
    const { rows, columns, values } = featureRows(c.tensor(0));
    if (keys.length !== columns) c.fail('INVALID_SHAPE', `${columns} columns of X for ${keys.length} class labels`);
    const maps = Array.from(
      { length: rows },
      (_, row) => new Map(keys.map((key, i) => [key, values[row * columns + i] as number])),
    );
    return [maps];
  },
});
