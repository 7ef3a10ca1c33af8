import { ELEMENTS, type ElementType } from '../tensor/element-types.js';

/** Sets of element types that many operators' signatures share. */
export const FLOATS: readonly ElementType[] = ['float32', 'float16', 'float64', 'bfloat16'];
export const FLOAT8: readonly ElementType[] = ['float8e4m3fn', 'float8e4m3fnuz', 'float8e5m2', 'float8e5m2fnuz'];
export const SIGNED: readonly ElementType[] = ['int8', 'int16', 'int32', 'int64'];
export const UNSIGNED: readonly ElementType[] = ['uint8', 'uint16', 'uint32', 'uint64'];
export const INTEGERS: readonly ElementType[] = [...SIGNED, ...UNSIGNED];
export const NUMBERS: readonly ElementType[] = [...FLOATS, ...INTEGERS];
export const SIGNED_NUMBERS: readonly ElementType[] = [...FLOATS, ...SIGNED];
export const INDICES: readonly ElementType[] = ['int32', 'int64'];
export const BOOL: readonly ElementType[] = ['bool'];
export const ANY = Object.keys(ELEMENTS) as readonly ElementType[];
