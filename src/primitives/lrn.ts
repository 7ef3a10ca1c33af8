import { account } from '../account.js';
import { float, int } from '../schema/attributes.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { sameAsInput } from '../schema/shapes.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';
import { onChannelsFirst } from './channels-last.js';

/** x / (bias + alpha / size · Σ x²)^beta; the sum is over `size` channels around that of x. */
export interface LrnParameters {
  readonly alpha: number;
  readonly beta: number;
  readonly bias: number;
  readonly size: number;
}

export const lrnAttributes = { alpha: float(1e-4), beta: float(0.75), bias: float(1), size: int.required };

/** Local response normalization of [N, C, spatial…] in double precision. */
export function normalizeResponses(x: TensorValue, { alpha, beta, bias, size }: LrnParameters): TensorValue {
  const numbers = numbersOf(x);
  const channels = x.dims[1] as number;
  const pixels = elementCount(x.dims.slice(2));
  const y = Float64Array.from(numbers, (value, at) => {
    const channel = Math.floor(at / pixels) % channels;
    const first = Math.max(0, channel - Math.floor((size - 1) / 2));
    const last = Math.min(channels - 1, channel + Math.ceil((size - 1) / 2));
    account()?.spend(last - first);
    let squares = 0;
    for (let i = first; i <= last; i++) squares += (numbers[at + (i - channel) * pixels] as number) ** 2;
    return value / (bias + (alpha / size) * squares) ** beta;
  });
  return tensorOf(x.type, x.dims, y);
}

/** Normalizes each number of [N, spatial…, C] by the neighboring channels. */
export const responseNormalization: Primitive<LrnParameters> = {
  name: 'responseNormalization',
  facts: { layout: 'channels-last' },
  reference(c, parameters) {
    const { element, dims } = c.result(0);
    return [
      tensorOf(
        element,
        dims,
        onChannelsFirst(c.tensor(0), (x) => normalizeResponses(x, parameters)),
      ),
    ];
  },
};

/** LRN on [N, spatial…, C]. */
export const lrnOperator = defineOp({
  domain: 'sardonyx',
  name: 'LRN',
  signature: 'X: T -> Y: T',
  types: { T: ['float32'] },
  attributes: lrnAttributes,
  guarded: true,
  infer: sameAsInput,
  computes: by(responseNormalization, (c: Inference<LrnParameters>) => c.attributes),
});
