import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SardonyxError } from '../../src/base/errors.js';
import { type AttributeInput, modelBuilder } from '../../src/builder/index.js';
import type { Attribute } from '../../src/graph/graph.js';
import { loadGroups } from '../../src/groups/load-groups.js';
import type { AnyOperator } from '../../src/schema/definition.js';
import { allOperators } from '../../src/schema/registry.js';
import { ELEMENTS, type ElementType } from '../../src/tensor/element-types.js';
import { emptyData } from '../../src/tensor/empty-data.js';
import { elementCount, type TensorValue } from '../../src/tensor/tensor-value.js';
import { sampleByTier } from '../tier.js';
import { open } from './run-model.js';

const test = suite('every operator on every type, sizes known or open');

const ATTRIBUTES: Partial<Record<Attribute['type'], AttributeInput>> = {
  int: 1,
  ints: { type: 'ints', value: [1] },
  float: { type: 'float', value: 1 },
  floats: { type: 'floats', value: [1] },
  string: 'x',
  strings: { type: 'strings', value: ['x'] },
};

const SHAPES = [[2, 3], [6], [1, 2, 4, 4]];

const OPSETS = { 'ai.onnx.ml': 5, 'com.microsoft': 1 };

interface Trial {
  readonly operator: AnyOperator;
  /** The type that a variable of the signature stands for. */
  readonly variable: string;
  readonly element: ElementType;
  readonly dims: readonly number[];
}

const specsOf = ({ attributes }: AnyOperator) =>
  Object.entries(attributes as Record<string, { type: Attribute['type']; required: boolean }>).filter(
    ([, { required }]) => required,
  );

const isPlain = (operator: AnyOperator) =>
  operator.domain in { '': 0, ...OPSETS } &&
  operator.deterministic &&
  specsOf(operator).every(([, { type }]) => type in ATTRIBUTES) &&
  [...operator.signature.inputs, ...operator.signature.outputs].every(({ sequence }) => !sequence);

function trialsOf(operator: AnyOperator): Trial[] {
  const variables = Object.entries(operator.types as Record<string, readonly ElementType[]>);
  return variables.flatMap(([variable, elements]) =>
    elements
      .filter((element) => element in ELEMENTS && element !== 'string')
      .flatMap((element) => SHAPES.map((dims) => ({ operator, variable, element, dims }))),
  );
}

const elementsOf = ({ operator, variable, element }: Trial): (ElementType | undefined)[] =>
  operator.signature.inputs
    .filter(({ optional }) => !optional)
    .map(({ type }) =>
      type === variable
        ? element
        : ((operator.types[type] ?? [type]) as readonly string[]).find(
            (name): name is ElementType => name in ELEMENTS && name !== 'string',
          ),
    );

function filled(type: ElementType, dims: readonly number[]): TensorValue {
  const data = emptyData(type, dims) as Float32Array;
  const isLong = type === 'int64' || type === 'uint64';
  for (let i = 0; i < data.length; i++) data[i] = (isLong ? BigInt(i % 2) : i % 2) as never;
  return { type, dims, data } as TensorValue;
}

interface Outcome {
  readonly results?: string;
  /** The code of what it refuses. */
  readonly refusal?: string;
}

async function outcomeOf(trial: Trial, dims: readonly (number | string)[]): Promise<Outcome> {
  const { operator } = trial;
  const b = modelBuilder({ opset: 28, opsets: OPSETS });
  const elements = elementsOf(trial) as ElementType[];
  const inputs = elements.map((element, i) => b.input(`x${i}`, element, dims));
  const attributes = specsOf(operator).map(([name, { type }]) => [name, ATTRIBUTES[type] as AttributeInput] as const);
  const { domain, name } = operator;
  const outputs = operator.signature.outputs.filter(({ optional }) => !optional).length || 1;
  for (const [i, value] of b.node(name, inputs, Object.fromEntries(attributes), { domain, outputs }).entries())
    b.output(`y${i}`, value);
  const feeds = Object.fromEntries(elements.map((element, i) => [`x${i}`, filled(element, trial.dims)]));
  try {
    const session = await open(b.toBytes());
    const results = await session.run(feeds);
    await session.release();
    const shown = Object.values(results as Record<string, TensorValue>).map(
      ({ type, dims: shape, data }) => `${type}[${shape}] ${Array.from(data as ArrayLike<unknown>, String)}`,
    );
    return { results: shown.join('; ') };
  } catch (error) {
    return { refusal: error instanceof SardonyxError ? error.code : `INTERNAL ${error}` };
  }
}

await loadGroups();
const newest = new Map(
  [...allOperators()].reverse().map((operator) => [`${operator.domain}:${operator.name}`, operator]),
);

test('what runs where sizes are known runs where they are open, with the same results', async () => {
  const all = [...newest.values()].filter(isPlain).flatMap(trialsOf);
  const possible = all.filter((trial) => !elementsOf(trial).includes(undefined) && elementCount(trial.dims) > 0);
  const labelOf = ({ operator, variable, element, dims }: Trial) =>
    `${operator.domain}:${operator.name} ${variable}=${element} [${dims}]`;
  const trials = sampleByTier(possible, { quick: 150, ci: 450, all: possible.length }, labelOf);
  const wrong: string[] = [];
  let ran = 0;
  for (const trial of trials) {
    const known = await outcomeOf(trial, trial.dims);
    if (known.refusal?.startsWith('INTERNAL')) wrong.push(`${labelOf(trial)}: ${known.refusal}`);
    if (known.refusal) continue;
    ran++;
    const symbols = trial.dims.map((_, axis) => `n${axis}`);
    const unknown = await outcomeOf(trial, symbols);
    if (known.results !== unknown.results)
      wrong.push(`${labelOf(trial)}: ${known.results}, but open ${unknown.refusal ?? unknown.results}`);
  }
  assert.equal(wrong, [], `${wrong.length} of ${ran}`);
  assert.ok(ran > trials.length / 4, `${ran} of ${trials.length} run`);
});

test.run();
