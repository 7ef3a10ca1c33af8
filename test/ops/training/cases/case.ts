import type { AttributeInputs } from '../../../../src/builder/index.js';
import type { ElementType } from '../../../../src/tensor/element-types.js';
import type { TensorValue } from '../../../../src/tensor/tensor-value.js';

/** Among the inputs that follow: one by which derivatives are checked too. */
export interface Variable {
  readonly variable: readonly number[];
}

/** A node whose derivatives by its first inputs are checked. */
export interface Case {
  /** `Name` or `domain:Name`. */
  readonly op: string;
  readonly dims: readonly (readonly number[])[];
  /** Range of the inputs. */
  readonly range?: readonly [number, number];
  readonly attributes?: AttributeInputs;
  /** What the first inputs hold, instead of random numbers. */
  readonly values?: readonly (readonly number[])[];
  /** Further inputs, most of them constants; a number is a scalar of the element type, a list int64. */
  readonly rest?: readonly (readonly number[] | number | TensorValue | Variable | null)[];
  readonly outputs?: number;
  /** The outputs that are checked; all, if left out. */
  readonly checked?: readonly number[];
  readonly element?: ElementType;
  /** Of the differences, where the operator reckons in float32: a power of 2, of which the inputs are multiples. */
  readonly step?: number;
  readonly opset?: number;
}

export const POSITIVE = [0.3, 2] as const;
