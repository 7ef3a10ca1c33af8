import { suite } from 'uvu';
import { type ModelBuilder, tensor } from '../../../src/builder/index.js';
import type { Value } from '../../../src/graph/graph.js';
import { randomly } from '../../session/run-model.js';
import { sampled } from '../../tier.js';
import type { Variable } from './cases/case.js';
import { cases } from './cases/index.js';
import { expectDerivatives, type Variables } from './expect-derivatives.js';

const test = sampled(suite('Gradient against differences'), { quick: 1 / 6, ci: 1 / 3 });

for (const [n, one] of cases.entries()) {
  const { op, dims, range = [-1, 1], attributes = {}, rest = [], outputs = 1, element = 'float64', opset = 21 } = one;
  test(`${n} ${op} ${JSON.stringify(dims)}`, async () => {
    const next = randomly(n + 1);
    const draw = (d: readonly number[], values?: readonly number[]) => {
      const count = d.reduce((a, b) => a * b, 1);
      const unit = one.step ?? Number.EPSILON;
      const random = () => unit * Math.round((range[0] + (range[1] - range[0]) * next()) / unit);
      return tensor(element, d, values ?? Array.from({ length: count }, random));
    };
    const isVariable = (value: (typeof rest)[number]): value is Variable =>
      typeof value === 'object' && value !== null && 'variable' in value;
    const variables: Variables = Object.fromEntries([
      ...dims.map((d, i) => [`x${i}`, draw(d, one.values?.[i])]),
      ...rest.flatMap((value, i) => (isVariable(value) ? [[`c${i}`, draw(value.variable)]] : [])),
    ]);
    const inputOf = (
      b: ModelBuilder,
      value: (typeof rest)[number],
      i: number,
      given: readonly Value[],
    ): Value | null => {
      if (value === null) return null;
      if (isVariable(value)) return given.find(({ name }) => name === `c${i}`) as Value;
      if (typeof value === 'number') return b.constant(`c${i}`, tensor(element, [], [value]));
      return b.constant(`c${i}`, 'type' in value ? value : tensor('int64', [value.length], value));
    };
    await expectDerivatives(
      variables,
      opset,
      (b, inputs) => {
        const [name = op, domain = ''] = op.split(':').reverse();
        const all = [...inputs.slice(0, dims.length), ...rest.map((value, i) => inputOf(b, value, i, inputs))];
        const results = b.node(name, all, attributes, { domain, outputs });
        return results.filter((_, i) => one.checked?.includes(i) ?? true);
      },
      one.step,
    );
  });
}

test.run();
