import { intAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import { tensorType } from '../../graph/types.js';
import { defineOp } from '../../schema/definition.js';
import { ANY } from '../../schema/element-sets.js';
import { dimsOfRank, like } from '../../schema/shapes.js';

/**
 * https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.Unique: elements in order of first occurrence.
 */
export const microsoftUnique = defineOp({
  domain: 'com.microsoft',
  name: 'Unique',
  signature: 'x: T -> y: T, idx: int64, counts: int64',
  types: { T: ANY },
  infer(c) {
    const count = [c.unknown()];
    return [like(c, 0, count), tensorType('int64', dimsOfRank(c, 0, 1)), tensorType('int64', count)];
  },
  decompose(c) {
    const [y, , idx, counts] = c.emit('Unique', [c.input(0)], { sorted: intAttribute(0) }, 4) as [
      Value,
      Value,
      Value,
      Value,
    ];
    return [y, idx, counts];
  },
});
