import type { ValueType } from '../../graph/types.js';
import type { ElementType } from '../../tensor/element-types.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import { type HostValue, isTensorValue, type TensorValue } from '../../tensor/tensor-value.js';

/** Types whose numbers are held in double precision between operators. */
const NARROW: ReadonlySet<ElementType> = new Set(['float32', 'float16', 'bfloat16']);

/** The types that tensors have in the model which are held in double precision. */
const declared = new WeakMap<TensorValue, ElementType>();

/** The value with numbers in double precision, which knows the type that it is declared as. */
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

/** The type that a value has in the model, as far as it shows. */
export const declaredElement = (value: TensorValue): ElementType => declared.get(value) ?? value.type;

/** The value as its declared type holds it. */
export function narrowed(value: HostValue): HostValue {
  if (Array.isArray(value)) return value.map(narrowed);
  if (!isTensorValue(value)) return value;
  const element = declared.get(value);
  return element ? tensorOf(element, value.dims, value.data as Float64Array) : value;
}
