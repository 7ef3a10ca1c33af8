import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SardonyxError } from '../../src/base/errors.js';
import { type AttributeInput, modelBuilder } from '../../src/builder/index.js';
import type { AttributeSpec } from '../../src/schema/attributes.js';
import { allOperators } from '../../src/schema/registry.js';
import { ELEMENTS, type ElementType } from '../../src/tensor/element-types.js';
import { open } from '../session/run-model.js';

const test = suite('attributes that are words which every object has');

const WORDS = ['__proto__', 'constructor', 'toString'];
const OPSETS = {
  'ai.onnx.ml': 5,
  'ai.onnx.preview': 1,
  'ai.onnx.preview.training': 1,
  'com.microsoft': 1,
  'com.microsoft.nchwc': 1,
  'com.ms.internal.nhwc': 1,
};
const NUMBERS: Partial<Record<string, AttributeInput>> = {
  int: 1,
  ints: { type: 'ints', value: [1] },
  float: { type: 'float', value: 1 },
  floats: { type: 'floats', value: [1] },
  strings: { type: 'strings', value: ['x'] },
};

/** The operator on inputs of rank 2, with each of its words as given. */
function modelOf(
  operator: ReturnType<typeof allOperators>[number],
  specs: [string, AttributeSpec<unknown>][],
  word: string,
) {
  const b = modelBuilder({ opset: 28, opsets: OPSETS });
  const inputs = operator.signature.inputs.map(({ type }, i) => {
    const element = (operator.types[type] ?? [type]).find((name): name is ElementType => name in ELEMENTS);
    return b.input(`x${i}`, element ?? 'float32', [2, 2]);
  });
  const attributes = specs.flatMap(([name, { type, required }]) => {
    const value = type === 'string' ? word : required ? NUMBERS[type] : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  b.output('y', b.op(operator.name, inputs, Object.fromEntries(attributes), { domain: operator.domain }));
  return b.toBytes();
}

const newest = new Map(
  [...allOperators()].reverse().map((operator) => [`${operator.domain}:${operator.name}`, operator]),
);

for (const [name, operator] of newest) {
  const specs = Object.entries(operator.attributes as Record<string, AttributeSpec<unknown>>);
  if (operator.domain === 'sardonyx' || !specs.some(([, { type }]) => type === 'string')) continue;
  test(`${name} knows none of them`, async () => {
    for (const word of WORDS) {
      const error = await open(modelOf(operator, specs, word)).catch((thrown) => thrown);
      if (!(error instanceof Error)) continue;
      assert.instance(error, SardonyxError, `${word}: ${error.message}`);
      assert.is.not((error as SardonyxError).code, 'INTERNAL', `${word}: ${error.message}`);
    }
  });
}

test.run();
