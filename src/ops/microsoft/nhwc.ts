// Operators on images [N, H, W, C], which onnxruntime's optimizer writes for half precision on ARM.

import { convOperator } from '../../primitives/conv.js';
import { globalPoolOperators } from '../../primitives/global-pool.js';
import { poolOperators } from '../../primitives/pool.js';
import { type AnyOperator, defineOp } from '../../schema/definition.js';
import { FLOATS } from '../../schema/element-sets.js';
import { emitOne } from '../emit.js';
import { conv } from '../onnx/nn/conv.js';
import { throughFloat32 } from '../through-float32.js';
import { givenInputs } from './as-onnx.js';
import { activatedSums, activationAttributes, withoutActivation } from './fused-conv.js';

const POOLS = ['MaxPool', 'AveragePool', 'GlobalMaxPool', 'GlobalAveragePool'];

/** Pools of domain `sardonyx`, also for half precision. */
export const nhwcPools = ([...poolOperators, ...globalPoolOperators] as readonly AnyOperator[])
  .filter(({ name }) => POOLS.includes(name))
  .map(({ name, attributes, infer }) =>
    defineOp({
      domain: 'com.ms.internal.nhwc',
      name,
      signature: 'X: T -> Y: T',
      types: { T: FLOATS },
      attributes: attributes as Record<never, never>,
      infer,
      decompose: (c) =>
        c.element(0) === 'float32' ? c.emit(`sardonyx:${name}`, [c.input(0)], c.node.attributes) : throughFloat32(c),
    }),
  );

/** activation(Conv(X, W, B) + Z) on [N, H, W, C]. */
export const nhwcFusedConv = defineOp({
  domain: 'com.microsoft',
  name: 'NhwcFusedConv',
  signature: 'X: T, W: T, B?: T, Z?: T -> Y: T',
  types: { T: FLOATS },
  attributes: { ...conv.attributes, ...activationAttributes },
  infer: convOperator.infer as typeof conv.infer,
  decompose(c) {
    if (c.element(0) !== 'float32') return throughFloat32(c);
    const sums = emitOne(c, 'sardonyx:Conv', givenInputs(c), withoutActivation(c.node.attributes));
    return [activatedSums(c, sums)];
  },
});
