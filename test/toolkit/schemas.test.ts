import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AttributeSpecs } from '../../src/schema/attributes.js';
import { allOperators } from '../../src/schema/registry.js';
import { NEWEST } from '../../src/tools/schemas/domains.js';
import { arityOf, type Formal, operatorsOf, schemaOf, sinceOf } from '../../src/tools/schemas/schemas.js';
import { attributeKind, readSchemas, type Schema, type SchemaParameter } from '../conformance/schemas.js';
import { shared } from '../shared-data.js';

/** The table of operators against ONNX's own changelogs. */
const test = suite('schemas of the toolkit');

const ELEMENT: Readonly<Record<string, string>> = { float: 'float32', double: 'float64' };

/** `seq(tensor(float))` in the words of the table. */
const inWords = (type: string): string =>
  type
    .replaceAll(' ', '')
    .replace(/\btensor\((\w+)\)/g, '$1')
    .replace(/\b(float|double)\b/g, (word) => ELEMENT[word] as string);

type Listed = Schema & { readonly out_arity: Schema['arity'] };

const option = ({ optional, variadic }: SchemaParameter): Formal['option'] =>
  variadic ? 'variadic' : optional ? 'optional' : 'single';

const formalsOf = (list: readonly SchemaParameter[]) =>
  list.map((parameter) => ({
    // Split 1 has a name that ends in dots.
    name: parameter.name.replace('...', ''),
    type: inWords(parameter.type),
    option: option(parameter),
    mixed: 'heterogeneous' in parameter,
  }));

const plain = (list: readonly Formal[]) => list.map(({ least: _, ...formal }) => formal);

const arity = ([least, most]: Schema['arity']) => [least, most ?? Number.POSITIVE_INFINITY];

const folder = shared('onnx-schemas');
const schemas = readSchemas(folder) as Listed[];

test('every version of every operator is as ONNX declares it', () => {
  assert.is(schemas.length, 636);
  for (const listed of schemas) {
    const name = `${listed.domain}.${listed.op} ${listed.since}`;
    const schema = schemaOf(listed.domain, listed.op, listed.since);
    assert.ok(schema, name);
    assert.is(schema.since, listed.since, name);
    assert.is(schema.deprecated, false, name);
    assert.equal(plain(schema.inputs), formalsOf(listed.inputs), name);
    assert.equal(plain(schema.outputs), formalsOf(listed.outputs), name);
    assert.equal(arityOf(schema.inputs), arity(listed.arity), name);
    assert.equal(arityOf(schema.outputs), arity(listed.out_arity), name);
    assert.equal(
      [...schema.attributes.values()].map((a) => [a.name, a.type, a.required]),
      listed.attributes.map((a) => [
        a.name,
        attributeKind(a.type).replace('sparse_tensor', 'sparse'),
        a.required === true,
      ]),
      name,
    );
    assert.equal(
      [...schema.types].map(([variable, types]) => [variable, [...types].sort()]),
      Object.entries(listed.types).map(([variable, types]) => [variable, types.map(inWords).sort()]),
      name,
    );
  }
});

test('no version is made up', () => {
  const known = new Set(schemas.map(({ domain, op, since }) => `${domain}.${op} ${since}`));
  const ours = [...NEWEST.keys()].flatMap((domain) =>
    operatorsOf(domain).flatMap((op) => sinceOf(domain, op).map((since) => ({ domain, op, since }))),
  );
  const others = ours.filter(({ domain, op, since }) => !known.has(`${domain}.${op} ${since}`));
  // https://github.com/onnx/onnx/blob/main/docs/Changelog.md: versions in which operators end; and ONNX 1.23's own tests have
  // windows of Attention 25.
  assert.equal(
    others.map(({ op, since }) => `${op} ${since}`),
    [
      'Attention 25',
      'GroupNormalization 18',
      'Scatter 11',
      'Upsample 10',
      'TreeEnsembleClassifier 5',
      'TreeEnsembleRegressor 5',
    ],
  );
  assert.ok(others.slice(1).every(({ domain, op, since }) => schemaOf(domain, op, since)?.deprecated));
});

test('what the runtime declares is what the table has', () => {
  for (const { domain, name, since, attributes } of allOperators()) {
    const schema = NEWEST.has(domain) ? schemaOf(domain, name, since) : undefined;
    if (!schema || schema.since !== since) continue;
    for (const [attribute, { type }] of Object.entries(attributes as AttributeSpecs))
      assert.is(schema.attributes.get(attribute)?.type ?? type, type, `${name} ${since}: ${attribute}`);
  }
});

test.run();
