import { numbersOf, tensorOf } from '../tensor/numbers.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';

interface Scaling {
  readonly scale: TensorValue;
  readonly bias: TensorValue;
  readonly groups: number;
  readonly epsilon: number;
}

/** Normalizes each group of channels of x [N, C, spatial…] in double precision; scale and bias are per channel or per group. */
export function normalizeGroups(x: TensorValue, { groups, epsilon, ...own }: Scaling): TensorValue {
  const [from, scale, bias] = [x, own.scale, own.bias].map(numbersOf) as [
    ArrayLike<number>,
    ArrayLike<number>,
    ArrayLike<number>,
  ];
  const channels = x.dims[1] as number;
  const pixels = elementCount(x.dims.slice(2));
  const length = (channels / groups) * pixels;
  const y = new Float64Array(from.length);
  for (let at = 0; at < y.length; at += length) {
    let sum = 0;
    for (let i = at; i < at + length; i++) sum += from[i] as number;
    const mean = sum / length;
    let squares = 0;
    for (let i = at; i < at + length; i++) squares += ((from[i] as number) - mean) ** 2;
    const factor = 1 / Math.sqrt(squares / length + epsilon);
    for (let i = at; i < at + length; i++) {
      const channel = Math.floor(i / pixels) % channels;
      const j = Math.floor((channel * scale.length) / channels);
      y[i] = ((from[i] as number) - mean) * factor * (scale[j] as number) + (bias[j] as number);
    }
  }
  return tensorOf(x.type, x.dims, y);
}
