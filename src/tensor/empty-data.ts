import { account } from '../account.js';
import { byteLength, dataLength, ELEMENTS, type ElementType, type TypedArray } from './element-types.js';
import { elementCount } from './tensor-value.js';

export function emptyData(type: ElementType, dims: readonly number[]): TypedArray | string[] {
  const length = dataLength(type, elementCount(dims));
  account()?.demand(byteLength(type, elementCount(dims)), 'a tensor on the host');
  const { array } = ELEMENTS[type];
  return array ? new array(length) : new Array<string>(length).fill('');
}
