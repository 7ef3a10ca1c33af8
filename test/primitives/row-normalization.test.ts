import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { evaluateOnHost } from '../../src/analysis/evaluate.js';
import { NodeView } from '../../src/analysis/node-view.js';
import { floatAttribute, intAttribute } from '../../src/graph/attributes.js';
import { Facts } from '../../src/graph/facts.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { runNode } from '../ops/one-node.js';

const test = suite('references of normalized rows');

const EPSILON = 0.25;
const [BATCH, ROWS, LENGTH] = [2, 3, 5];

const double = (dims: readonly number[], phase: number): TensorValue => {
  const count = dims.reduce((a, b) => a * b, 1);
  return { type: 'float64', dims, data: Float64Array.from({ length: count }, (_, i) => Math.sin(phase + i) + phase) };
};

/** The outputs of a node of domain `sardonyx` as its primitive's reference computes them. */
function referred(op: string, inputs: readonly (TensorValue | null)[], outputs: number, axis: number): TensorValue[] {
  const node = {
    name: op,
    domain: 'sardonyx',
    op,
    inputs: inputs.map((constant, i) => constant && { name: `x${i}`, constant }),
    outputs: Array.from({ length: outputs }, (_, i) => ({ name: `y${i}` })),
    attributes: { axis: intAttribute(axis), epsilon: floatAttribute(EPSILON) },
  };
  return evaluateOnHost(new NodeView(node, new Facts())) as TensorValue[];
}

interface Expected {
  readonly y: number[];
  readonly means: number[];
  readonly inverses: number[];
}

/** By ONNX's formula, row for row. */
function normalized(x: readonly number[], length: number, centered: boolean, scale = [1], bias = [0]): Expected {
  const expected: Expected = { y: [], means: [], inverses: [] };
  for (let from = 0; from < x.length; from += length) {
    const row = x.slice(from, from + length);
    const mean = centered ? row.reduce((a, b) => a + b) / length : 0;
    const variance = row.reduce((sum, v) => sum + (v - mean) ** 2, 0) / length;
    const inverse = (variance + EPSILON) ** -0.5;
    expected.y.push(
      ...row.map((v, i) => (v - mean) * inverse * (scale[i % scale.length] ?? 1) + (bias[i % bias.length] ?? 0)),
    );
    expected.means.push(mean);
    expected.inverses.push(inverse);
  }
  return expected;
}

function near({ type, data }: TensorValue, expected: readonly number[]): void {
  assert.is(type, 'float64');
  assert.is(data.length, expected.length);
  for (const [i, e] of expected.entries())
    assert.ok(Math.abs((data[i] as number) - e) <= 1e-14 * (1 + Math.abs(e)), `${data[i]}, not ${e}`);
}

const numbersIn = (x: TensorValue | null) => (x ? Array.from(x.data as Float64Array) : undefined);

for (const axis of [-1, 1])
  for (const affine of [[], ['scale'], ['scale', 'bias']]) {
    const x = double([BATCH, ROWS, LENGTH], 0.5);
    const length = axis === -1 ? LENGTH : ROWS * LENGTH;
    const row = axis === -1 ? [LENGTH] : [ROWS, LENGTH];
    const [scale = null, bias = null] = affine.map((_, i) => double(row, i + 1));
    const name = `about axis ${axis}, with ${affine.join(' and ') || 'neither scale nor bias'}, nothing is rounded`;

    test(`layer normalization ${name}`, () => {
      const [y, means, inverses] = referred('LayerNormalization', [x, scale, bias], 3, axis) as TensorValue[];
      const expected = normalized(numbersIn(x) as number[], length, true, numbersIn(scale), numbersIn(bias));
      near(y as TensorValue, expected.y);
      near(means as TensorValue, expected.means);
      near(inverses as TensorValue, expected.inverses);
    });

    if (bias) continue;
    test(`RMS normalization ${name}`, () => {
      const [y, inverses] = referred('RMSNormalization', [x, scale], 2, axis) as TensorValue[];
      const expected = normalized(numbersIn(x) as number[], length, false, numbersIn(scale));
      near(y as TensorValue, expected.y);
      near(inverses as TensorValue, expected.inverses);
    });
  }

test('the inverse roots are left out where nobody wants them', () => {
  assert.is(referred('RMSNormalization', [double([2, 2], 1)], 1, -1).length, 1);
});

test('ONNX’s operator on float64 is the same primitive', async () => {
  const [x, scale] = [double([BATCH, ROWS, LENGTH], 0.5), double([LENGTH], 1)];
  const [y] = await runNode('RMSNormalization', {
    inputs: [x, scale],
    attributes: { epsilon: { type: 'float', value: EPSILON } },
    opset: 23,
  });
  near(y as TensorValue, normalized(numbersIn(x) as number[], LENGTH, false, numbersIn(scale)).y);
});

test.run();
