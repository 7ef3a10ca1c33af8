import type { ValueType } from '../../graph/types.js';
import type { ElementType } from '../../tensor/element-types.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import { type HostValue, isTensorValue, type TensorValue } from '../../tensor/tensor-value.js';

/** Types whose numbers are held in double precision between operators. */
const NARROW: ReadonlySet<ElementType> = new Set(['float32', 'float16', 'bfloat16']);

/** The types that the model declares for tensors held in double precision. */
const declared = new WeakMap<TensorValue, ElementType>();

/** The value in double precision; its declared type is recorded. */
export function widened(value: HostValue, type?: ValueType): HostValue {
  if (Array.isArray(value)) return value.map((item) => widened(item, type?.kind === 'sequence' ? type.of : undefined));
  if (!isTensorValue(value)) return value;
  const element = type?.kind === 'tensor' ? type.element : value.type;
  if (!NARROW.has(element)) return value;
  const wide: TensorValue =
    value.type === 'float64' ? { ...value } : { type: 'float64', dims: value.dims, data: doublesOf(value) };
  declared.set(wide, element);
  return wide;
}

const doublesOf = (x: TensorValue): Float64Array => Float64Array.from(numbersOf(x));

export const widenedElement = (element: ElementType): ElementType => (NARROW.has(element) ? 'float64' : element);

/** The type that the model declares for a tensor, or else its own. */
export const declaredElement = (value: TensorValue): ElementType => declared.get(value) ?? value.type;

/** The value converted to its declared type. */
export function narrowed(value: HostValue): HostValue {
  if (Array.isArray(value)) return value.map(narrowed);
  if (!isTensorValue(value)) return value;
  const element = declared.get(value);
  return element ? tensorOf(element, value.dims, value.data as Float64Array) : value;
}
