import type { Value } from '../../graph/graph.js';
import { type Decomposition, defineOp } from '../../schema/definition.js';
import { broadcastInputs, like } from '../../schema/shapes.js';
import { emitOne } from '../emit.js';
import { BYTES, dequantizedFrom, levelsAt, quantizedTo, requireOneLevel, throughTable } from './quantized-operands.js';

const [CONDITION, X, Y, Z_SCALE] = [0, 1, 4, 7];

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.QLinearWhere */
export const qLinearWhere = defineOp({
  domain: 'com.microsoft',
  name: 'QLinearWhere',
  signature:
    'condition: B, X: T, x_scale: TF, x_zero_point: T, Y: T, y_scale: TF, y_zero_point: T, z_scale: TF, z_zero_point: T -> Z: T',
  types: { B: ['bool'], T: BYTES, TF: ['float32'] },
  infer(c) {
    requireOneLevel(c, X + 1, Y + 1, Z_SCALE);
    return [like(c, X, broadcastInputs(c, [CONDITION, X, Y]))];
  },
  decompose(c: Decomposition<unknown>) {
    const z = levelsAt(c, Z_SCALE);
    const recounted = [X, Y].map((i) => {
      const own = levelsAt(c, i + 1);
      const recount = (bytes: Value) => quantizedTo(c, dequantizedFrom(c, bytes, own), z, c.element(X));
      return throughTable(c, i, Z_SCALE, recount);
    });
    return [emitOne(c, 'Where', [c.input(CONDITION), ...recounted])];
  },
});
