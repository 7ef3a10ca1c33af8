import type { Attributes, Value } from '../../../graph/graph.js';
import { isKnown } from '../../../graph/sizes.js';
import { type Decomposition, defineOp } from '../../../schema/definition.js';
import { permutation } from '../../channels-last.js';
import { emitOne, reshapeTo } from '../../emit.js';
import { conv as onnx } from '../../onnx/nn/conv.js';
import { activatedSums, activationAttributes, type FusedActivation, withoutActivation } from '../fused-conv.js';
import { blockAttribute, findBlockSize, NCHWC } from './block-size.js';

const withoutBlock = ({ block_size, ...own }: Attributes): Attributes => own;

/**
 * Weights in ONNX's order. They are stored as [M / b, C / b, kernel…, b of C, b of M], or as [M / b, C, kernel…, b of M] if C has no
 * blocks.
 */
function unblocked(c: Decomposition<FusedActivation & { block_size: number }>, dims: readonly number[]): Value {
  const block = c.attributes.block_size;
  const [outputs, inputs, ...kernel] = dims as [number, number, ...number[]];
  if (outputs % block !== 0)
    c.fail(
      'INVALID_SHAPE',
      `weights [${dims}] must have a multiple of ${block} output channels, as onnxruntime writes them`,
    );
  const inner = inputs % block === 0 ? block : 1;
  const lying = reshapeTo(c, c.input(1), [outputs / block, inputs / inner, ...kernel, inner, block]);
  const rank = kernel.length + 4;
  const order = [0, rank - 1, 1, rank - 2, ...kernel.map((_, axis) => axis + 2)];
  return reshapeTo(c, emitOne(c, 'Transpose', [lying], permutation(order)), dims);
}

/** activation(Conv + Sum) on padded channels, with the weights in blocks. */
export const nchwcConv = defineOp({
  domain: NCHWC,
  name: 'Conv',
  signature: 'X: T, W: T, B?: T, Sum?: T -> Y: T',
  types: { T: ['float32'] },
  attributes: { ...onnx.attributes, ...activationAttributes, ...blockAttribute },
  prepare: findBlockSize,
  infer: onnx.infer,
  decompose(c) {
    const dims = c.dims(1);
    if (!isKnown(dims)) return undefined;
    const inputs = [c.input(0), unblocked(c, dims), c.given(2) ? c.input(2) : null];
    const convolved = emitOne(c, 'Conv', inputs, withoutBlock(withoutActivation(c.node.attributes)));
    return [activatedSums(c, c.given(3) ? emitOne(c, 'Add', [convolved, c.input(3)]) : convolved)];
  },
});
