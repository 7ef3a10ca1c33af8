import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AttributeInputs, modelBuilder, tensor } from '../../../src/builder/index.js';
import { InferenceSession } from '../../../src/session/inference-session.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { STAGES } from '../stages.js';

const test = suite('optimizers');

/** What one element of a tensor, its gradient and its states become. */
type Rule = (t: number, x: number, g: number, states: readonly number[]) => number[];

interface Case {
  readonly name: string;
  readonly op: string;
  readonly attributes: AttributeInputs;
  readonly states: number;
  readonly rule: Rule;
}

const RATE = 0.125;

const momentum = (mode: 'standard' | 'nesterov'): Case => ({
  name: `Momentum, ${mode}`,
  op: 'Momentum',
  attributes: { alpha: 0.75, beta: 0.25, mode, norm_coefficient: 0.5 },
  states: 1,
  rule(t, x, gradient, [velocity = 0]) {
    const g = gradient + 0.5 * x;
    const next = 0.75 * velocity + (t > 0 ? 0.25 : 1) * g;
    return [x - RATE * (mode === 'nesterov' ? g + 0.75 * next : next), next];
  },
});

const cases: readonly Case[] = [
  momentum('standard'),
  momentum('nesterov'),
  {
    name: 'Adagrad',
    op: 'Adagrad',
    attributes: { decay_factor: 0.5, epsilon: 0.125, norm_coefficient: 0.25 },
    states: 1,
    rule(t, x, gradient, [squares = 0]) {
      const g = gradient + 0.25 * x;
      const next = squares + g * g;
      return [x - ((RATE / (1 + 0.5 * t)) * g) / (Math.sqrt(next) + 0.125), next];
    },
  },
  {
    name: 'Adam',
    op: 'Adam',
    attributes: { alpha: 0.75, beta: 0.875, epsilon: 0.125, norm_coefficient: 0.25, norm_coefficient_post: 0.0625 },
    states: 2,
    rule(t, x, gradient, [first = 0, second = 0]) {
      const g = gradient + 0.25 * x;
      const [v, h] = [0.75 * first + 0.25 * g, 0.875 * second + 0.125 * g * g];
      const rate = t > 0 ? (RATE * Math.sqrt(1 - 0.875 ** t)) / (1 - 0.75 ** t) : RATE;
      return [(1 - 0.0625) * (x - (rate * v) / (Math.sqrt(h) + 0.125)), v, h];
    },
  },
];

const DIMS = [[3], [2, 2]] as const;

for (const { name, op, attributes, states, rule } of cases) {
  for (const t of [0, 3]) {
    test(`${name} after ${t} updates`, async () => {
      const lists = ['x', 'g', 's0', 's1'].slice(0, states + 2);
      const feeds = lists.flatMap((list, l) =>
        DIMS.map((dims, i): [string, TensorValue] => {
          const count = dims.reduce<number>((a, b) => a * b, 1);
          return [
            `${list}${i}`,
            tensor(
              'float32',
              dims,
              Array.from({ length: count }, (_, e) => Math.abs(Math.sin(7 * l + 3 * i + e))),
            ),
          ];
        }),
      );
      const b = modelBuilder({ opset: 21, opsets: { 'ai.onnx.preview.training': 1 } });
      const scalars = [b.input('r', 'float32', []), b.input('t', 'int64', [])];
      const inputs = feeds.map(([input, { type, dims }]) => b.input(input, type, dims));
      const outputs = 2 * (states + 1);
      const results = b.node(op, [...scalars, ...inputs], attributes, { domain: 'ai.onnx.preview.training', outputs });
      results.forEach((value, i) => {
        b.output(`y${i}`, value);
      });
      const given = Object.fromEntries(feeds);
      const rest = { r: tensor('float32', [], [RATE]), t: tensor('int64', [], [t]) };
      for (const [stage, options] of Object.entries(STAGES)) {
        const session = await InferenceSession.create(b.toBytes(), options);
        const actual = (await session.run({ ...given, ...rest })) as Record<string, TensorValue>;
        DIMS.forEach((_, i) => {
          const at = (list: string, e: number) => given[`${list}${i}`]?.data[e] as number;
          for (let e = 0; e < (given[`x${i}`] as TensorValue).data.length; e++) {
            const expected = rule(t, at('x', e), at('g', e), [at('s0', e), states > 1 ? at('s1', e) : 0]);
            expected.forEach((value, list) => {
              const own = actual[`y${2 * list + i}`]?.data[e] as number;
              assert.ok(Math.abs(own - value) <= 1e-6 * Math.max(1, Math.abs(value)), `${stage}: ${own}, not ${value}`);
            });
          }
        });
      }
    });
  }
}

test.run();
