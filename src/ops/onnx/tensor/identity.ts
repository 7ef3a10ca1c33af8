import { view } from '../../../primitives/view.js';
import { by, defineOp } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import type { HostValue } from '../../../tensor/tensor-value.js';

/** https://onnx.ai/onnx/operators/onnx__Identity.html */
export const identity = defineOp({
  name: 'Identity',
  signature: 'input: V -> output: V',
  types: { V: ANY },
  computes: by(view, (c) => c.type(0).kind === 'tensor' || undefined),
  guarded: true,
  infer: (c) => [c.type(0)],
  sizes: (c) => c.sizes(0),
  evaluate: (c): HostValue[] => [c.value(0)],
});
