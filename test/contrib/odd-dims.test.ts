import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SardonyxError } from '../../src/base/errors.js';
import { type AttributeInput, modelBuilder } from '../../src/builder/index.js';
import type { Attribute } from '../../src/graph/graph.js';
import type { AnyOperator } from '../../src/schema/definition.js';
import { allOperators } from '../../src/schema/registry.js';
import { ELEMENTS, type ElementType } from '../../src/tensor/element-types.js';
import { emptyData } from '../../src/tensor/empty-data.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { readSchemas } from '../conformance/schemas.js';
import { open } from '../session/run-model.js';
import { shared } from '../shared-data.js';
import { sampleByTier } from '../tier.js';

/** All inputs of odd dims, for the operators that ONNX does not describe; session/wrong-use has the others. */
const test = suite('operators beyond ONNX on odd dims');

const described = new Set(readSchemas(shared('onnx-schemas')).map(({ domain, op }) => `${domain}:${op}`));

const DIMS = [[0], [0, 3], [2, 0], [], [1], [1, 0, 3, 3], [0, 2, 5, 5], [2, 0, 2], [3, 1]];

const ATTRIBUTES: Partial<Record<Attribute['type'], AttributeInput>> = {
  int: 1,
  ints: { type: 'ints', value: [1] },
  float: { type: 'float', value: 1 },
  floats: { type: 'floats', value: [1] },
  string: 'x',
  strings: { type: 'strings', value: ['x'] },
};

const isPlain = ({ domain, attributes }: AnyOperator) =>
  domain !== 'sardonyx' &&
  Object.values(attributes as Record<string, { type: Attribute['type']; required: boolean }>).every(
    ({ type, required }) => !required || type in ATTRIBUTES,
  );

function elementOf(operator: AnyOperator, type: string): ElementType | undefined {
  const allowed = operator.types[type] ?? [type];
  return allowed.find((element): element is ElementType => element in ELEMENTS && element !== 'string');
}

const OPSETS = {
  'ai.onnx.ml': 5,
  'ai.onnx.preview': 1,
  'ai.onnx.preview.training': 1,
  'com.microsoft': 1,
  'com.microsoft.nchwc': 1,
  'com.ms.internal.nhwc': 1,
};

/** A model of that one operator; all its inputs, also the optional ones if `full`, are fed. */
function modelOf(operator: AnyOperator, full: boolean) {
  const b = modelBuilder({ opset: 28, opsets: OPSETS });
  const { signature } = operator;
  const used = signature.inputs.filter(({ optional }) => full || !optional);
  const elements = used.map(({ type }) => elementOf(operator, type));
  if (elements.includes(undefined)) return undefined;
  const inputs = used.map(({ name }, i) => b.input(`${name}${i}`, elements[i] as ElementType));
  const required = Object.entries(operator.attributes as Record<string, { type: Attribute['type']; required: boolean }>)
    .filter(([, { required }]) => required)
    .map(([name, { type }]) => [name, ATTRIBUTES[type] as AttributeInput] as const);
  const { domain, name } = operator;
  const outputs = signature.outputs.filter(({ optional }) => !optional).length || 1;
  const results = b.node(name, inputs, Object.fromEntries(required), { domain, outputs });
  results.forEach((value, i) => {
    b.output(`y${i}`, value);
  });
  const feeds = (dims: readonly number[]) =>
    Object.fromEntries(
      used.map(({ name: input }, i): [string, TensorValue] => {
        const type = elements[i] as ElementType;
        return [`${input}${i}`, { type, dims, data: emptyData(type, dims) }];
      }),
    );
  return { bytes: b.toBytes(), feeds };
}

const newest = new Map(
  [...allOperators()].reverse().map((operator) => [`${operator.domain}:${operator.name}`, operator]),
);

const beyond = [...newest].filter(([name, operator]) => isPlain(operator) && !described.has(name));

for (const [name, operator] of sampleByTier(beyond, { quick: 10, ci: 40, all: 1000 }, ([name]) => name)) {
  test(name, async () => {
    for (const full of [false, true]) {
      const made = modelOf(operator, full);
      if (!made) return;
      const problems: string[] = [];
      for (const options of [{}, { graphOptimizationLevel: 'disabled' as const, guardBytes: 64 }]) {
        try {
          const session = await open(made.bytes, options);
          for (const dims of DIMS) {
            const error = await session.run(made.feeds(dims)).then(
              () => undefined,
              (e: Error) => e,
            );
            const isRefusal = error instanceof SardonyxError && !['INTERNAL', 'OUT_OF_MEMORY'].includes(error.code);
            if (error && !isRefusal)
              problems.push(`[${dims}] ${JSON.stringify(options)}: ${(error.cause as Error)?.stack ?? error.stack}`);
          }
        } catch (error) {
          if (!(error instanceof SardonyxError) || error.code === 'INTERNAL') problems.push(String(error));
        }
      }
      assert.equal(problems, []);
    }
  });
}

test.run();
