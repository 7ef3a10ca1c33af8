import type { NodeProto } from '../../../../build/onnx.js';
import { readTensor } from '../../../model/tensors.js';
import { elementTypeOf } from '../../../tensor/element-types.js';
import { numbersOf } from '../../../tensor/numbers.js';
import { isExternal } from '../../tensor-data.js';
import { constantIn } from '../graphs.js';
import { floatAt, stringAt } from '../nodes.js';
import type { Desk } from './desk.js';

/** The first opset in which Pad has inputs instead of attributes. */
const BY_INPUTS = 11;

export const hasConstantPadding = (node: NodeProto): boolean => stringAt(node, 'mode', 'constant') === 'constant';

/** The constant that a node pads with; undefined if it is not constant. */
export function padsWith({ scope, opset }: Desk, node: NodeProto): number | undefined {
  const name = node.input[2];
  if (opset < BY_INPUTS) return floatAt(node, 'value', 0);
  if (!name) return 0;
  const value =
    constantIn(scope, name)?.tensor ??
    scope.producers.get(name)?.attribute.find((attribute) => attribute.name === 'value')?.t;
  return value && !isExternal(value) && elementTypeOf(value.dataType)?.startsWith('float')
    ? numbersOf(readTensor(value))[0]
    : undefined;
}
