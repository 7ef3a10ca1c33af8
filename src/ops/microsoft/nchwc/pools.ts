import { type AnyOperator, defineOp } from '../../../schema/definition.js';
import { globalPools } from '../../onnx/nn/global-pool.js';
import { averagePool, maxPool } from '../../onnx/nn/pool.js';
import { asOnnx } from '../as-onnx.js';
import { NCHWC } from './block-size.js';

/** Pools treat channels independently, so padded channels need no special handling. */
export const nchwcPools = ([maxPool, averagePool, ...globalPools] as readonly AnyOperator[]).map((onnx) =>
  defineOp({
    domain: NCHWC,
    name: onnx.name,
    signature: 'X: T -> Y: T',
    types: { T: ['float32'] },
    attributes: onnx.attributes as Record<never, never>,
    infer: (c) => onnx.infer(c).slice(0, 1),
    decompose: asOnnx(onnx.name),
  }),
);
