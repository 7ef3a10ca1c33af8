import type { Value } from '../../../graph/graph.js';
import { typeOf } from '../../../graph/host-types.js';
import { formatType } from '../../../graph/types.js';
import { type HostValue, isTensorValue, type TensorValue } from '../../../tensor/tensor-value.js';

export type Shape = Pick<TensorValue, 'type' | 'dims'>;

/** Null for values other than tensors, which are looked up by signature. */
export const shapeOf = (host: HostValue | undefined): Shape | null =>
  isTensorValue(host) ? { type: host.type, dims: [...host.dims] } : null;

export function hasShape(host: HostValue | undefined, shape: Shape | null | undefined): boolean {
  const { type, dims } = (host ?? {}) as Partial<TensorValue>;
  if (!shape || type !== shape.type || dims?.length !== shape.dims.length) return false;
  for (let d = 0; d < dims.length; d++) if (dims[d] !== shape.dims[d]) return false;
  return true;
}

const signatureOfShape = ({ type, dims }: Shape): string => `${type}[${dims}]`;

/** The properties of a host value that plans depend on. */
export const signatureOf = (host: HostValue, value: Value): string =>
  isTensorValue(host) ? signatureOfShape(host) : `${formatType(typeOf(host, value))}${host === null ? '?' : ''}`;
