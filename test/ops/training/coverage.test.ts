import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findOperator } from '../../../src/schema/registry.js';
import { readSchemas, type Schema, type SchemaParameter } from '../../conformance/schemas.js';
import { shared } from '../../shared-data.js';
import { cases } from './cases/index.js';

const test = suite('Gradient covers what the schemas let differentiate');

/** Inputs by which no row of the tables checks a derivative. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  Loop: 'controlflow-gradients.test.ts',
  Scan: 'controlflow-gradients.test.ts',
  ...Object.fromEntries(
    ['At', 'Construct', 'Erase', 'Insert', 'Map'].map((name) => [`Sequence${name}`, 'sequence-gradients.test.ts']),
  ),
  ConcatFromSequence: 'sequence-gradients.test.ts',
  SplitToSequence: 'sequence-gradients.test.ts',
  Optional: 'sequence-gradients.test.ts',
  OptionalGetElement: 'sequence-gradients.test.ts',
  'ai.onnx.preview.training:Gradient': 'networks.test.ts, as the derivative of a derivative',
  'Upsample.scales': 'the scales decide on the shape; they must be known before the run',
  'RoiAlign.rois': 'no rule: refused with an error',
  'ai.onnx.ml:SVMClassifier': 'no rule: refused with an error',
  'ai.onnx.ml:TreeEnsembleClassifier': 'constant between the thresholds, as TreeEnsembleRegressor',
  'ai.onnx.ml:TreeEnsemble': 'constant between the thresholds, as TreeEnsembleRegressor',
};

const isReal = ({ types }: Schema, { type }: SchemaParameter) =>
  (types[type] ?? [type]).some((one) => /tensor\((float|double|float16)\)/.test(one));

const isDifferentiable = (schema: Schema) => (parameter: SchemaParameter) =>
  !parameter['non-differentiable'] && isReal(schema, parameter);

const nameOf = ({ domain, op }: Schema) => (domain ? `${domain}:${op}` : op);

/** The newest version of each operator. */
function newest(schemas: readonly Schema[]): Schema[] {
  const found = new Map<string, Schema>();
  for (const schema of schemas)
    if (schema.since > (found.get(nameOf(schema))?.since ?? 0)) found.set(nameOf(schema), schema);
  return [...found.values()];
}

/** Positions of the inputs that some row of the tables differentiates by. */
function checkedInputs(name: string): Set<number> {
  const positions = cases
    .filter(({ op }) => op === name)
    .flatMap(({ dims, rest = [] }) => [
      ...dims.map((_, i) => i),
      ...rest.flatMap((value, i) =>
        typeof value === 'object' && value && 'variable' in value ? [dims.length + i] : [],
      ),
    ]);
  return new Set(positions);
}

const folder = shared('onnx-schemas');
const differentiable = (folder ? newest(readSchemas(folder)) : []).flatMap((schema) => {
  const isCovered = findOperator(schema.domain, schema.op, Number.POSITIVE_INFINITY);
  if (!isCovered || !schema.outputs.some(isDifferentiable(schema))) return [];
  return schema.inputs.flatMap((input, i) =>
    isDifferentiable(schema)(input) ? [{ op: nameOf(schema), input: input.name, i }] : [],
  );
});

test('every input that is not marked otherwise has a checked derivative, or a reason', () => {
  const missing = differentiable.flatMap(({ op, input, i }) =>
    checkedInputs(op).has(i) || EXCEPTIONS[op] || EXCEPTIONS[`${op}.${input}`] ? [] : [`${op}.${input}`],
  );
  assert.equal(missing, []);
});

test('no exception is left that a row covers', () => {
  const known = new Set(differentiable.flatMap(({ op, input }) => [op, `${op}.${input}`]));
  const covered = differentiable
    .filter(({ op, i }) => checkedInputs(op).has(i))
    .map(({ op, input }) => `${op}.${input}`);
  const stale = Object.keys(EXCEPTIONS).filter((name) => !known.has(name) || covered.includes(name));
  assert.equal(stale, []);
});

test.run();
