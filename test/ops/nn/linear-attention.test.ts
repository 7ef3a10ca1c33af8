import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { float } from '../../../src/builder/index.js';
import type { ElementType } from '../../../src/tensor/element-types.js';
import { numbersOf, tensorOf } from '../../../src/tensor/numbers.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { expectRejection } from '../../expect-error.js';
import { numbers } from '../../session/run-model.js';
import { runNode } from '../one-node.js';

const test = suite('LinearAttention');

const [BATCH, KEY_SIZE, VALUE_SIZE] = [2, 6, 5];
const TOLERANCE: Partial<Record<ElementType, number>> = { float32: 2e-6, float16: 4e-3, bfloat16: 3e-2 };

interface Case {
  readonly rule?: string;
  readonly length?: number;
  readonly heads?: number;
  readonly kvHeads?: number;
  readonly past?: ElementType;
  /** Columns of the gates. */
  readonly decay?: number;
  readonly beta?: number;
  readonly scale?: number;
  readonly element?: ElementType;
}

const cases: Readonly<Record<string, Case>> = {
  linear: { rule: 'linear' },
  'linear with a scale, one step': { rule: 'linear', scale: 0.25, length: 1, past: 'float32' },
  'a scale of 0 is the default': { rule: 'linear', scale: 0 },
  'gated by head': { rule: 'gated', decay: 2 },
  'gated by key': { rule: 'gated', decay: 12, past: 'float32' },
  'delta by head': { rule: 'delta', beta: 2, past: 'float32' },
  'delta with one rate': { rule: 'delta', beta: 1 },
  'gated delta is the default rule': { decay: 12, beta: 2, past: 'float32' },
  'queries that share heads': { heads: 6, kvHeads: 2, decay: 2, beta: 2, past: 'float32' },
  'one head for all queries': { heads: 3, kvHeads: 1, decay: 6, beta: 1 },
  'a step of float16 on a state of float32': { decay: 2, beta: 2, length: 1, past: 'float32', element: 'float16' },
  'float32 on a state of bfloat16': { decay: 2, beta: 2, past: 'bfloat16' },
  'float16 without a past': { rule: 'gated', decay: 2, element: 'float16' },
  'bfloat16 throughout': { rule: 'delta', beta: 2, element: 'bfloat16', past: 'bfloat16' },
};

type Inputs = readonly (TensorValue | null)[];

function expectedOf({ length = 4, heads = 2, kvHeads = 2, scale }: Case, inputs: Inputs) {
  const [q, k, v, past, decay, beta] = inputs.map((input) => input && numbersOf(input)) as ArrayLike<number>[];
  const widths = inputs.map((input) => input?.dims[2] ?? 0);
  const state = Float64Array.from(past ?? new Float64Array(BATCH * kvHeads * KEY_SIZE * VALUE_SIZE));
  const y = new Float64Array(BATCH * length * heads * VALUE_SIZE);
  const factor = scale || 1 / Math.sqrt(KEY_SIZE);
  for (let n = 0; n < BATCH; n++) {
    for (let t = 0; t < length; t++) {
      const row = n * length + t;
      for (let h = 0; h < kvHeads; h++) {
        const at = (d: number, m: number) => ((n * kvHeads + h) * KEY_SIZE + d) * VALUE_SIZE + m;
        const key = (d: number) => k?.[(row * kvHeads + h) * KEY_SIZE + d] as number;
        const gate = (d: number) => {
          if (!decay) return 1;
          const width = (widths[4] as number) / kvHeads;
          return Math.exp(decay[(row * kvHeads + h) * width + (width > 1 ? d : 0)] as number);
        };
        for (let m = 0; m < VALUE_SIZE; m++) {
          for (let d = 0; d < KEY_SIZE; d++) state[at(d, m)] = (state[at(d, m)] as number) * gate(d);
          let delta = v?.[(row * kvHeads + h) * VALUE_SIZE + m] as number;
          if (beta) {
            for (let d = 0; d < KEY_SIZE; d++) delta -= (state[at(d, m)] as number) * key(d);
            delta *= beta[row * (widths[5] as number) + (widths[5] === 1 ? 0 : h)] as number;
          }
          for (let d = 0; d < KEY_SIZE; d++) state[at(d, m)] = (state[at(d, m)] as number) + key(d) * delta;
        }
      }
      for (let h = 0; h < heads; h++) {
        const own = Math.floor((h * kvHeads) / heads);
        for (let m = 0; m < VALUE_SIZE; m++) {
          let sum = 0;
          for (let d = 0; d < KEY_SIZE; d++) {
            const s = state[((n * kvHeads + own) * KEY_SIZE + d) * VALUE_SIZE + m] as number;
            sum += (q?.[(row * heads + h) * KEY_SIZE + d] as number) * s;
          }
          y[(row * heads + h) * VALUE_SIZE + m] = factor * sum;
        }
      }
    }
  }
  return [y, state] as const;
}

function inputsOf({ length = 4, heads = 2, kvHeads = 2, element = 'float32', ...c }: Case): Inputs {
  const made = (width: number, seed: number, f: (x: number) => number = (x) => x) =>
    tensorOf(element, [BATCH, length, width], (numbers([BATCH, length, width], seed).data as Float32Array).map(f));
  const state = [BATCH, kvHeads, KEY_SIZE, VALUE_SIZE];
  return [
    made(heads * KEY_SIZE, 1),
    made(kvHeads * KEY_SIZE, 2, (x) => x / 2),
    made(kvHeads * VALUE_SIZE, 3),
    c.past ? tensorOf(c.past, state, numbers(state, 4).data as Float32Array) : null,
    c.decay ? made(c.decay, 5, (x) => x - 1) : null,
    c.beta ? made(c.beta, 6, (x) => 0.5 + x / 2) : null,
  ];
}

const attributesOf = ({ rule, scale, heads = 2, kvHeads = 2 }: Case) => ({
  q_num_heads: heads,
  kv_num_heads: kvHeads,
  ...(rule && { update_rule: rule }),
  ...(scale !== undefined && { scale: float(scale) }),
});

for (const [name, c] of Object.entries(cases)) {
  test(name, async () => {
    const { length = 4, heads = 2, kvHeads = 2, element = 'float32' } = c;
    const inputs = inputsOf(c);
    const results = await runNode('LinearAttention', { inputs, attributes: attributesOf(c), outputs: 2, opset: 27 });
    const types = [
      [element, [BATCH, length, heads * VALUE_SIZE]],
      [c.past ?? element, [BATCH, kvHeads, KEY_SIZE, VALUE_SIZE]],
    ];
    expectedOf(c, inputs).forEach((expected, i) => {
      const result = results[i] as TensorValue;
      assert.equal([result.type, result.dims], types[i]);
      const actual = numbersOf(result);
      const tolerance = TOLERANCE[result.type] as number;
      expected.forEach((e, at) => {
        const off = Math.abs((actual[at] as number) - e);
        assert.ok(off <= tolerance * Math.max(1, Math.abs(e)), `output ${i} at ${at}: ${actual[at]}, not ${e}`);
      });
    });
  });
}

for (const [what, c, code, message] of [
  [
    'an unknown rule',
    { rule: 'square' },
    'INVALID_ATTRIBUTE',
    /"square" is not one of linear, gated, delta, gated_delta/,
  ],
  ['a rule without its gate', { rule: 'gated' }, 'INVALID_GRAPH', /"gated" needs input decay/],
  [
    'a gate without its rule',
    { rule: 'gated', decay: 2, beta: 2 },
    'INVALID_GRAPH',
    /"gated" must not have input beta/,
  ],
  [
    'heads that do not divide',
    { rule: 'linear', heads: 3 },
    'INVALID_ATTRIBUTE',
    /q_num_heads 3 must be a positive multiple/,
  ],
  ['a gate of other width', { rule: 'gated', decay: 3 }, 'INVALID_SHAPE', /input 4 must have 2 or 12 columns, not 3/],
] as const) {
  test(`refuses ${what}`, () => {
    const node = { inputs: inputsOf(c), attributes: attributesOf(c), outputs: 2, opset: 27 };
    return expectRejection(code, message, runNode('LinearAttention', node));
  });
}

test.run();
