import type { HostValue } from 'sardonyx';
import { toNumbers } from 'sardonyx/tensors';
import type { ValueHead } from '../contracts/runs.js';

const SHOWN = 64;

type TensorValue = Extract<HostValue, { readonly dims: readonly number[] }>;

export const isTensor = (value: HostValue): value is TensorValue =>
  value !== null && typeof value === 'object' && 'dims' in value;

/** The name, type and first elements of a value. */
export const headOf = (name: string, value: HostValue): ValueHead => ({
  name,
  tensor: isTensor(value) ? { type: value.type, dims: [...value.dims] } : null,
  text: textOf(value),
});

function textOf(value: HostValue): string {
  if (value === null) return 'absent';
  if (isTensor(value)) return elements(value).join('  ');
  if (value instanceof Map) return listed([...value], ([key, item]) => `${key}: ${scalar(item)}`);
  return listed(value as readonly HostValue[], (item) => `{ ${textOf(item)} }`);
}

const listed = <T>(items: readonly T[], show: (item: T) => string): string =>
  items.slice(0, SHOWN).map(show).join(', ') + (items.length > SHOWN ? ' …' : '');

const scalar = (item: unknown): string => (isTensor(item as HostValue) ? textOf(item as HostValue) : rounded(item));

function elements(tensor: TensorValue): string[] {
  const { type, data } = tensor;
  const isExact = type === 'string' || /^u?int64$/.test(type) || type.startsWith('complex');
  const stored = isExact ? (data as ArrayLike<unknown>) : toNumbers(first(tensor));
  const shown = Array.from({ length: Math.min(SHOWN, stored.length) }, (_, i) => rounded(stored[i]));
  return tensor.dims.reduce((a, b) => a * b, 1) > SHOWN ? [...shown, '…'] : shown;
}

/** The elements that are shown, so that a large tensor of half floats is not converted as a whole. */
function first({ type, data }: TensorValue): TensorValue {
  const length = Math.min(SHOWN, data.length);
  return { type, dims: [length], data: data.slice(0, length) } as TensorValue;
}

const rounded = (x: unknown): string =>
  typeof x === 'number' ? `${Number(x.toPrecision(6))}` : typeof x === 'string' ? JSON.stringify(x) : `${x}`;
