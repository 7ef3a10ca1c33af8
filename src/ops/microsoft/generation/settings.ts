import type { Evaluation, Inference } from '../../../schema/definition.js';
import { numbersOf } from '../../../tensor/numbers.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';

/** The number in input `i`, a scalar or [1]; `fallback` if the input is omitted. */
export function numberAt(c: Evaluation<unknown>, i: number, name: string, fallback: number): number {
  if (!c.given(i)) return fallback;
  const x = c.tensor(i);
  const numbers = numbersOf(x);
  if (numbers.length !== 1) c.fail('INVALID_SHAPE', `${name} must be a scalar, not [${x.dims}]`);
  return numbers[0] as number;
}

/** Like `numberAt`, and checks the range. */
export function numberWithin(
  c: Evaluation<unknown>,
  i: number,
  name: string,
  fallback: number,
  [least, most]: readonly [number, number],
): number {
  const value = numberAt(c, i, name, fallback);
  if (value >= least && value <= most) return value;
  const range = most === Number.POSITIVE_INFINITY ? `at least ${least}` : `${least} to ${most}`;
  return c.fail('INVALID_VALUE', `${name} must be ${range}, not ${value}`);
}

/** The maximum length of sequences, which must exceed that of the prompt. */
export function limitOf(c: Evaluation<unknown>, prompt: number): number {
  const limit = numberAt(c, 1, 'max_length', Number.NaN);
  if (!(limit > prompt))
    c.fail('INVALID_VALUE', `max_length must be greater than the ${prompt} tokens of the prompt, not ${limit}`);
  return limit;
}

/** The repetition penalty, a divisor of scores. */
export function penaltyAt(c: Evaluation<unknown>, i: number): number {
  const penalty = numberAt(c, i, 'repetition_penalty', 1);
  if (!(penalty > 0)) c.fail('INVALID_VALUE', `repetition_penalty must be positive, not ${penalty}`);
  return penalty;
}

/** Input `i`, which must have the shape `dims`. */
export function tensorOfDims(
  c: Evaluation<unknown>,
  i: number,
  name: string,
  dims: readonly number[],
): TensorValue | undefined {
  if (!c.given(i)) return undefined;
  const x = c.tensor(i);
  if (x.dims.join() !== dims.join()) c.fail('INVALID_SHAPE', `${name} must be [${dims}], not [${x.dims}]`);
  return x;
}

/** Checks the attributes with token IDs. */
export function checkTokens(c: Inference<{ eos_token_id: number; pad_token_id: number }>): void {
  for (const name of ['eos_token_id', 'pad_token_id'] as const)
    if (c.attributes[name] < 0)
      c.fail('INVALID_ATTRIBUTE', `${name} must be a token ID, at least 0, not ${c.attributes[name]}`);
}

/** Checks the rank of an input; `form` lists its dimensions. */
export function checkRank(c: Inference<unknown>, i: number, name: string, form: string): void {
  const rank = form.split(',').length;
  const dims = c.given(i) ? c.dims(i) : undefined;
  if (dims && dims.length !== rank) c.fail('INVALID_SHAPE', `${name} must be [${form}], not [${dims}]`);
}
