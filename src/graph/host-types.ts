import { isA } from '../base/kind.js';
import { type HostValue, isTensorValue } from '../tensor/tensor-value.js';
import type { Value } from './graph.js';
import { ofAnyShape, tensorType, type ValueType } from './types.js';

const UNKNOWN = tensorType('float32');

/** The type of a value, inferred from it alone; the elements of an empty one are of unknown type. */
export function typeOfHost(value: HostValue): ValueType {
  if (isTensorValue(value)) return tensorType(value.type, value.dims);
  if (value === null) return { kind: 'optional', of: UNKNOWN };
  if (isA(value, 'Map')) return typeOfMap(value);
  const [first] = value as readonly HostValue[];
  return { kind: 'sequence', of: first === undefined ? UNKNOWN : typeOfHost(first) };
}

function typeOfMap(map: ReadonlyMap<unknown, unknown>): ValueType {
  const [entry] = map;
  const [key, value] = entry ?? [];
  const of = isTensorValue(value) ? typeOfHost(value) : typeof value === 'string' ? tensorType('string', []) : UNKNOWN;
  return { kind: 'map', key: typeof key === 'string' ? 'string' : 'int64', value: of };
}

/** For values other than tensors, which may be empty, uses the declared type, but not its shapes. */
export function typeOf(host: HostValue, { type }: Value): ValueType {
  if (isTensorValue(host)) return tensorType(host.type, host.dims);
  return type && type.kind !== 'tensor' ? ofAnyShape(type) : ofAnyShape(typeOfHost(host));
}
