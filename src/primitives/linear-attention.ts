import { account } from '../account.js';
import { areDecided, differ, isSame } from '../graph/guards.js';
import { floorDivide, formatSize, modulo, multiply, type Size } from '../graph/sizes.js';
import { tensorType } from '../graph/types.js';
import { float, int } from '../schema/attributes.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { requireDims } from '../schema/shapes.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';

export const [QUERY, KEY, VALUE, PAST, DECAY, BETA] = [0, 1, 2, 3, 4, 5];
export const [OUTPUT, PRESENT] = [0, 1];

export interface LinearAttentionParameters {
  readonly batch: number;
  readonly length: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly keySize: number;
  readonly valueSize: number;
  /** Decay factors per head: one, or one per row of its state; 0 without decay. */
  readonly decaySize: number;
  /** Correction rates: one for all heads, or one per head; 0 without correction. */
  readonly betaHeads: number;
  readonly scale: number;
}

/** The same where sizes may be open. */
export type OpenLinearAttention = { readonly [F in keyof LinearAttentionParameters]: Size };

type Numbers = ArrayLike<number>;

/** The state S [keySize, valueSize] of a key-value head. */
interface HeadState {
  readonly numbers: Float64Array;
  readonly keySize: number;
  readonly valueSize: number;
}

/** One element of Sᵀw; the weights w start at `at`. */
function readState({ numbers, keySize, valueSize }: HeadState, w: Numbers, at: number, column: number): number {
  let sum = 0;
  for (let d = 0; d < keySize; d++) sum += (w[at + d] as number) * (numbers[d * valueSize + column] as number);
  return sum;
}

/** Updates the state by a step: S ← diag(decay)·S, then S ← S + k·δᵀ with δ = rate·(v − Sᵀk), or v without a rate. */
function writeState(
  state: HeadState,
  k: Numbers,
  v: Numbers,
  at: number,
  decay: (row: number) => number,
  rate: number | undefined,
): void {
  const { numbers, keySize, valueSize } = state;
  numbers.forEach((x, i) => {
    numbers[i] = x * decay(Math.floor(i / valueSize));
  });
  for (let column = 0; column < valueSize; column++) {
    const value = v[at * valueSize + column] as number;
    const delta = rate === undefined ? value : rate * (value - readState(state, k, at * keySize, column));
    for (let d = 0; d < keySize; d++) {
      const i = d * valueSize + column;
      numbers[i] = (numbers[i] as number) + (k[at * keySize + d] as number) * delta;
    }
  }
}

/**
 * Attention as a recurrence: each step updates the state S of a key-value head, then each query head of its group reads scale · Sᵀq.
 * Returns the results and the last S.
 */
export const linearAttention: Primitive<LinearAttentionParameters> = {
  name: 'linearAttention',
  facts: {
    multiplyAdds: (_, { batch, length, heads, kvHeads, keySize, valueSize, betaHeads }) =>
      batch * length * keySize * valueSize * (heads + kvHeads * (betaHeads > 0 ? 2 : 1)),
  },
  reference(c, parameters) {
    const { batch, length, heads, kvHeads, keySize, valueSize, decaySize, betaHeads, scale } = parameters;
    const read = (i: number) => (c.given(i) ? numbersOf(c.tensor(i)) : undefined);
    const [q, k, v] = [QUERY, KEY, VALUE].map(read) as [Numbers, Numbers, Numbers];
    const [past, decay, beta] = [PAST, DECAY, BETA].map(read);
    const y = new Float64Array(batch * length * heads * valueSize);
    const states = past ? Float64Array.from(past) : new Float64Array(batch * kvHeads * keySize * valueSize);
    const queries = heads / kvHeads;
    for (let at = 0; at < batch * length * kvHeads; at++) {
      account()?.spend(keySize * valueSize * (queries + 2));
      const [step, head] = [Math.floor(at / kvHeads), at % kvHeads];
      const first = (Math.floor(step / length) * kvHeads + head) * keySize * valueSize;
      const state = { numbers: states.subarray(first, first + keySize * valueSize), keySize, valueSize };
      const decayOf = (d: number) => (decay ? (decay[at * decaySize + (decaySize > 1 ? d : 0)] as number) : 1);
      writeState(state, k, v, at, decayOf, beta?.[step * betaHeads + (betaHeads > 1 ? head : 0)]);
      for (let row = at * queries; row < (at + 1) * queries; row++)
        for (let column = 0; column < valueSize; column++)
          y[row * valueSize + column] = scale * readState(state, q, row * keySize, column);
    }
    const element = c.element(QUERY);
    return [
      tensorOf(element, [batch, length, heads * valueSize], y),
      tensorOf(element, [batch, kvHeads, keySize, valueSize], states),
    ];
  },
};

export interface Heads {
  readonly q_num_heads: number;
  readonly kv_num_heads: number;
}

/** The size of each of `heads` heads in the last axis of input `i`. */
function headSize(c: Inference<Heads>, i: number, heads: number): Size | undefined {
  const dims = c.dims(i);
  if (!dims) return undefined;
  if (dims.length !== 3) c.fail('INVALID_SHAPE', `input ${i} must be [batch, length, heads · size], not [${dims}]`);
  const width = dims[2] as Size;
  if (!areDecided([width])) return c.unknown();
  if (differ(modulo(width, heads), 0))
    c.fail('INVALID_SHAPE', `${formatSize(width)} columns do not divide into ${heads} heads`);
  return floorDivide(width, heads);
}

/** Sizes that the inputs agree on, or undefined while a rank is unknown. */
export function sizesOf(c: Inference<Heads>) {
  const { q_num_heads: heads, kv_num_heads: kvHeads } = c.attributes;
  if (heads <= 0 || kvHeads <= 0 || heads % kvHeads !== 0)
    c.fail('INVALID_ATTRIBUTE', `q_num_heads ${heads} must be a positive multiple of kv_num_heads ${kvHeads}`);
  const keySize = headSize(c, QUERY, heads);
  const valueSize = headSize(c, VALUE, kvHeads);
  const [batch, length] = c.dims(QUERY) ?? [];
  if (batch === undefined || length === undefined || keySize === undefined || valueSize === undefined) return undefined;
  requireDims(c, KEY, [batch, length, multiply(kvHeads, keySize)]);
  requireDims(c, VALUE, [batch, length, undefined]);
  requireDims(c, PAST, [batch, kvHeads, keySize, valueSize]);
  const gates = (i: number, widths: readonly Size[]) => {
    requireDims(c, i, [batch, length, undefined]);
    const width = c.given(i) ? c.dims(i)?.[2] : undefined;
    if (width === undefined || !areDecided([width, ...widths]) || widths.some((each) => isSame(width, each))) return;
    c.fail(
      'INVALID_SHAPE',
      `input ${i} must have ${widths.map(formatSize).join(' or ')} columns, not ${formatSize(width)}`,
    );
  };
  gates(DECAY, [kvHeads, multiply(kvHeads, keySize)]);
  gates(BETA, [kvHeads, 1]);
  return { batch, length, heads, kvHeads, keySize, valueSize };
}

/** Types of the result and of the state; the state has the type of the past one. */
export function inferLinearAttention(c: Inference<Heads>) {
  const sizes = sizesOf(c);
  const past = c.given(PAST) ? c.dims(PAST) : undefined;
  const state = sizes ? [sizes.batch, sizes.kvHeads, sizes.keySize, sizes.valueSize] : past;
  const [batch, , , valueSize] = state ?? [];
  const width = valueSize === undefined ? c.unknown() : multiply(c.attributes.q_num_heads, valueSize);
  return [
    tensorType(c.element(QUERY), state && ([batch, sizes?.length ?? c.unknown(), width] as Size[])),
    tensorType(c.element(c.given(PAST) ? PAST : QUERY), state),
  ];
}

function parametersOf(c: Inference<Heads & { readonly scale: number }>): LinearAttentionParameters | undefined {
  const sizes = sizesOf(c);
  const isSized = (i: number) => !c.given(i) || areDecided(c.dims(i));
  if (!sizes || !areDecided(Object.values(sizes)) || ![DECAY, BETA].every(isSized)) return undefined;
  const columns = (i: number) => (c.given(i) ? (c.dims(i)?.[2] as Size) : 0);
  const open: OpenLinearAttention = {
    ...sizes,
    decaySize: floorDivide(columns(DECAY), sizes.kvHeads),
    betaHeads: columns(BETA),
    scale: c.attributes.scale,
  };
  return open as LinearAttentionParameters;
}

/** LinearAttention whose decay input is the factor itself; a gate applies if its input is present. */
export const linearAttentionOperator = defineOp({
  domain: 'sardonyx',
  name: 'LinearAttention',
  signature: 'query: T, key: T, value: T, past_state?: T, decay?: T, beta?: T -> output: T, present_state: T',
  types: { T: ['float32'] },
  attributes: { kv_num_heads: int.required, q_num_heads: int.required, scale: float(1) },
  guarded: true,
  infer: inferLinearAttention,
  computes: by(linearAttention, parametersOf),
});
