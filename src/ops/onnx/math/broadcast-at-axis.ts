import { tensorType } from '../../../graph/types.js';
import { int, ints } from '../../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../../schema/definition.js';
import { BOOL, NUMBERS } from '../../../schema/element-sets.js';
import type { ElementType } from '../../../tensor/element-types.js';

interface Attributes {
  readonly axis: number | undefined;
  readonly broadcast: number;
}

/** B with trailing axes of size 1, so that its first axis aligns with `axis` of A. */
function alignedB(c: Decomposition<Attributes>) {
  const { axis, broadcast } = c.attributes;
  const [a, b] = [c.dims(0), c.dims(1)];
  if (!broadcast || axis === undefined) return c.input(1);
  if (!a || !b) return undefined;
  const behind = a.length - (axis < 0 ? axis + a.length : axis) - b.length;
  if (behind <= 0) return c.input(1);
  const axes = BigInt64Array.from({ length: behind }, (_, i) => BigInt(b.length + i));
  return c.emit('Unsqueeze', [c.input(1), c.constant({ type: 'int64', dims: [behind], data: axes })])[0];
}

/** Before opset 7, B broadcasts only if `broadcast` is set, from `axis` of A on. */
const broadcastingAtAxis = (name: string, types: readonly ElementType[], isPredicate: boolean) =>
  defineOp({
    name,
    signature: isPredicate ? 'A: T, B: T -> C: T1' : 'A: T, B: T -> C: T',
    types: { T: types, T1: BOOL },
    attributes: { axis: int(), broadcast: int(0), consumed_inputs: ints() },
    infer: (c: Inference<Attributes>) => [isPredicate ? tensorType('bool', c.dims(0)) : c.type(0)],
    decompose(c: Decomposition<Attributes>) {
      const b = alignedB(c);
      return b && c.emit(name, [c.input(0), b]);
    },
  });

/** https://github.com/onnx/onnx/blob/main/docs/Changelog.md#Add-1 and its siblings. */
export const broadcastAtAxis = [
  ...['Add', 'Sub', 'Mul', 'Div', 'Pow'].map((name) => broadcastingAtAxis(name, NUMBERS, false)),
  ...['And', 'Or', 'Xor'].map((name) => broadcastingAtAxis(name, BOOL, false)),
  ...['Equal', 'Greater', 'Less'].map((name) => broadcastingAtAxis(name, [...NUMBERS, ...BOOL], true)),
];
