import type { ModelProto, TensorProto } from '../../../build/onnx.js';
import { tensorsOf } from '../../model/document/tensors.js';
import type { StoredWeight } from './stored-weight.js';

/** A weight of the file and the initializers it replaces. */
export interface Match {
  readonly name: string;
  readonly weight: StoredWeight;
  readonly tensors: readonly TensorProto[];
}

/** The initializers by name, including those of subgraphs. */
export function initializersIn(proto: ModelProto): Map<string, TensorProto[]> {
  const named = new Map<string, TensorProto[]>();
  for (const tensor of tensorsOf(proto, (_, place) => place === 'initializer'))
    named.set(tensor.name, [...(named.get(tensor.name) ?? []), tensor]);
  return named;
}
