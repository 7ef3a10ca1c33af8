import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Value } from '../../src/graph/graph.js';
import { allNodes } from '../../src/graph/walk.js';
import { readValue } from '../../src/model/read-values.js';
import type { HostValue } from '../../src/tensor/tensor-value.js';
import { backendTests, type Case, casesOf } from '../conformance/suite.js';
import { isPlainArray, type PlainArray, type PlainValue, plain } from './reference/array.js';
import type { ReferenceNode } from './reference/definition.js';
import { evaluate, keyOf, NotDefined } from './reference/evaluate.js';
import { plainOf } from './reference/host-values.js';
import { REFERENCES } from './reference/index.js';
import { isFloat, roundToFloat } from './reference/number-types.js';

/** ONNX's own runner allows 1e-3; single operators in float64 are nearer to what its float32 recorded. */
const RELATIVE = 1e-5;
const ABSOLUTE = 1e-7;

/** Cases whose recorded outputs are farther off, and why. */
const LOOSER: Readonly<Record<string, number>> = {
  // Recorded with four digits.
  test_averagepool_2d_ceil_last_window_starts_on_pad: 1e-3,
  test_gridsample_bicubic: 1e-3,
  test_roialign_aligned_false: 1e-3,
  test_roialign_aligned_true: 1e-3,
};

/** Cases whose results float32's rounding decides, and how. */
const DECIDED_BY_ROUNDING: Readonly<Record<string, string>> = {
  test_dynamicquantizelinear_expanded: '−2.5 divided by the scale is exactly −127.5 before the scale is rounded',
};

/** What a type of few bits recorded may be one step off. */
const STEPS: Readonly<Record<string, number>> = { float16: 2 ** -10, bfloat16: 2 ** -7 };

/** Undefined: the case is not defined; else what differs, or nothing. */
type Verdict = { readonly wrong?: string } | undefined;

const GROUPS = ['node', 'simple', 'pytorch-operator', 'pytorch-converted'];

const readSet = (folder: string, kind: string, values: readonly Value[]): (PlainValue | undefined)[] =>
  values.map(({ type }, i) => {
    const file = join(folder, `${kind}_${i}.pb`);
    return existsSync(file) ? plainOf(readValue(readFileSync(file), type?.kind) as HostValue) : undefined;
  });

function verdictOf({ name, folder, model: { graph, opsets } }: Case): Verdict {
  const sets = readdirSync(folder).filter((entry) => entry.startsWith('test_data_set_'));
  if (sets.length === 0) return { wrong: 'without a data set' };
  for (const set of sets) {
    const inputs = readSet(join(folder, set), 'input', graph.inputs);
    const expected = readSet(join(folder, set), 'output', graph.outputs);
    try {
      const actual = evaluate(graph, inputs, opsets);
      const wrong = expected.findIndex((value, i) => difference(actual[i], value, LOOSER[name]));
      if (wrong >= 0)
        return { wrong: `output ${wrong} is ${difference(actual[wrong], expected[wrong], LOOSER[name])}` };
    } catch (error) {
      if (error instanceof NotDefined) return undefined;
      return { wrong: String(error) };
    }
  }
  return {};
}

function difference(
  actual: PlainValue | undefined,
  expected: PlainValue | undefined,
  relative = RELATIVE,
): string | undefined {
  if (isPlainArray(expected)) return isPlainArray(actual) ? tensorDifference(actual, expected, relative) : 'no tensor';
  if (!expected || !Array.isArray(expected))
    return actual === expected ? undefined : `${actual} instead of ${expected}`;
  if (!Array.isArray(actual) || actual.length !== expected.length) return `no sequence of ${expected.length}`;
  const wrong = expected.findIndex((element, i) => difference(actual[i], element, relative));
  return wrong < 0 ? undefined : `element ${wrong}: ${difference(actual[wrong], expected[wrong], relative)}`;
}

function tensorDifference(actual: PlainArray, expected: PlainArray, relative: number): string | undefined {
  const [got, wanted] = [actual, expected].map(({ type, dims }) => `${type}[${dims}]`);
  if (got !== wanted) return `${got} instead of ${wanted}`;
  const { type } = expected;
  const step = relative + (STEPS[type] ?? 0);
  const rounded = isFloat(type) && type !== 'float8e8m0' ? (x: number) => roundToFloat(type, x) : (x: number) => x;
  const wrong = expected.data.findIndex((e, i) => {
    const a = actual.data[i];
    if (a === e || (Number.isNaN(a) && Number.isNaN(e))) return false;
    if (!isFloat(type) || typeof a !== 'number' || typeof e !== 'number') return true;
    return rounded(a) !== e && !(Math.abs(a - e) <= ABSOLUTE + step * Math.abs(e));
  });
  return wrong < 0 && actual.data.length === expected.data.length
    ? undefined
    : `${actual.data[wrong]} instead of ${expected.data[wrong]} at ${wrong} of ${expected.data.length}`;
}

const operatorsOf = ({ model }: Case): string[] => [...new Set(Array.from(allNodes(model.graph), keyOf))];

/** Cases all of whose operators are defined here, by the operator of their first node. */
function casesByOperator(root: string): Map<string, Case[]> {
  const found = new Map<string, Case[]>();
  const cases = GROUPS.flatMap((group) => casesOf(root, group));
  for (const each of cases.filter((each) => operatorsOf(each).every((operator) => REFERENCES.has(operator)))) {
    const [operator = 'no operator'] = operatorsOf(each);
    found.set(operator, [...(found.get(operator) ?? []), each]);
  }
  return found;
}

const float32s = (dims: readonly number[], ...data: number[]) => plain('float32', dims, data);

/** Operators that no case has: ONNX's documented example, or what a line of arithmetic gives. */
const EXAMPLES: readonly (Pick<ReferenceNode, 'op' | 'inputs'> &
  Partial<ReferenceNode> & { readonly expected: PlainArray })[] = [
  {
    op: 'MatMulInteger',
    inputs: [
      plain('uint8', [4, 3], [11, 7, 3, 10, 6, 2, 9, 5, 1, 8, 4, 0]),
      plain('uint8', [3, 2], [1, 4, 2, 5, 3, 6]),
      plain('uint8', [1], [12]),
      plain('uint8', [1], [0]),
    ],
    expected: plain('int32', [4, 2], [-38, -83, -44, -98, -50, -113, -56, -128]),
  },
  { op: 'HardSwish', inputs: [float32s([4], -4, -1, 1, 4)], expected: float32s([4], 0, -1 / 3, 2 / 3, 4) },
  { op: 'GlobalLpPool', inputs: [float32s([1, 1, 2], 3, -4)], expected: float32s([1, 1, 1], 5) },
  {
    op: 'LRN',
    attributes: { size: 3, alpha: 3, beta: 1, bias: 1 },
    inputs: [float32s([1, 3, 1], 1, 2, 3)],
    expected: float32s([1, 3, 1], 1 / 6, 2 / 15, 3 / 14),
  },
];

const examples = suite('examples of operators that no case has');
for (const { expected, ...node } of EXAMPLES) {
  examples(node.op, () => {
    const [actual] = REFERENCES.get(node.op)?.({ domain: '', opset: 21, attributes: {}, outputs: 1, ...node }) ?? [];
    assert.is(difference(actual, expected), undefined);
  });
}
examples.run();

const root = backendTests();

const tests = suite('plain definitions of operators');
const left: string[] = [];
const witnessed = new Set<string>();
let agreeing = 0;
for (const [operator, cases] of casesByOperator(root)) {
  tests(operator, () => {
    const wrong: string[] = [];
    for (const each of cases) {
      const verdict = verdictOf(each);
      if (!verdict) left.push(each.name);
      else if (each.name in DECIDED_BY_ROUNDING) {
        if (!verdict.wrong) wrong.push(`${each.name} agrees; take it off the list`);
      } else if (verdict.wrong) wrong.push(`${each.name}: ${verdict.wrong}`);
      else {
        agreeing++;
        for (const name of operatorsOf(each)) witnessed.add(name);
      }
    }
    assert.equal(wrong, []);
  });
}

tests.after(() => {
  const unseen = [...REFERENCES.keys()].filter((operator) => !witnessed.has(operator));
  console.log(`${agreeing} cases of ${witnessed.size} operators agree`);
  console.log(`${left.length} cases are not defined: ${left.join(', ') || 'none'}`);
  console.log(`${unseen.length} operators are in no case: ${unseen.join(', ') || 'none'}`);
});

tests.run();
