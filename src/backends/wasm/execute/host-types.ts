import { isA } from '../../../base/kind.js';
import { tensorType, type ValueType } from '../../../graph/types.js';
import { type HostValue, isTensorValue } from '../../../tensor/tensor-value.js';

const UNKNOWN = tensorType('float32');

/** The type of a value as far as the value shows it; nothing tells of what an empty one is made. */
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
