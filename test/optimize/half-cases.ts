// Every version of every operator that takes halves or floats, each of whose inputs in turn is a product beyond 65,504.

import { readdirSync, readFileSync } from 'node:fs';
import { type AttributeInput, modelBuilder } from '../../src/builder/index.js';
import type { ModelBuilder } from '../../src/builder/model-builder.js';
import { subgraphsOf } from '../../src/graph/captures.js';
import type { Value } from '../../src/graph/graph.js';
import { readModel } from '../../src/model/read-model.js';
import type { AnyOperator } from '../../src/schema/definition.js';
import { allOperators, findOperator } from '../../src/schema/registry.js';
import { parameterAt } from '../../src/schema/signature.js';
import { ELEMENTS, type ElementType } from '../../src/tensor/element-types.js';
import { numbersOf, tensorOf } from '../../src/tensor/numbers.js';
import { elementCount, isTensorValue, type TensorValue } from '../../src/tensor/tensor-value.js';
import { combinationsOf } from '../conformance/combinations.js';
import { filled } from '../conformance/filled.js';
import type { Combination } from '../conformance/recipe.js';
import { readSchemas, type Schema } from '../conformance/schemas.js';
import { hasFullest, partsOf } from '../conformance/smoke-model.js';
import { read, type StoredCase, type StoredCases } from '../contrib/stored.js';

export interface HalfCase {
  readonly name: string;
  readonly operator: AnyOperator;
  readonly bytes: Uint8Array;
  readonly feeds: Readonly<Record<string, TensorValue>>;
}

const HALVES = ['float16', 'bfloat16'] as const;
type Half = (typeof HALVES)[number];

const isHalf = (type: ElementType): type is Half => HALVES.includes(type as Half);

const takesEither = (types: readonly ElementType[] = []) =>
  types.includes('float32') && types.some((type) => isHalf(type));

/** Whether the operator declares that it takes halves where it takes floats. */
export const takesHalves = ({ signature, types }: AnyOperator): boolean =>
  signature.inputs.some(({ type }) => takesEither(types[type]));

/** Three hundred times as much, twice: halves hold the first product and not the second. */
function boosted(b: ModelBuilder, x: Value, { type, dims }: TensorValue, name: string): Value {
  const factor = b.constant(`${name} factor`, tensorOf(type, dims, new Array(elementCount(dims)).fill(300)));
  return b.op('Mul', [b.op('Mul', [x, factor]), factor]);
}

/** One node whose input number `large` is a product, its halves given as floats by a Cast of the model's own. */
interface NodeOf {
  readonly operator: AnyOperator;
  readonly inputs: readonly (TensorValue | null)[];
  readonly constants?: readonly number[];
  readonly attributes: (
    b: ModelBuilder,
    values: readonly (Value | null)[],
  ) => Readonly<Record<string, AttributeInput | undefined>>;
  readonly outputs: readonly (ElementType | undefined)[];
  readonly opset: number;
  readonly version?: number;
}

function caseOf(name: string, node: NodeOf, large: number): HalfCase {
  const { operator, inputs, constants = [], attributes, outputs, opset, version = operator.since } = node;
  const { domain } = operator;
  const b = modelBuilder({ opset, ...(domain && { opsets: { [domain]: version } }) });
  const feeds: Record<string, TensorValue> = {};
  const values = inputs.map((input, i) => {
    if (!input) return null;
    if (constants.includes(i)) return b.constant(`x${i}`, input);
    feeds[`x${i}`] = input;
    const x = b.input(`x${i}`, input.type, input.dims);
    return i === large ? boosted(b, x, input, `x${i}`) : x;
  });
  const results = b.node(operator.name, values, attributes(b, values), { domain, outputs: outputs.length });
  const to = opset < 6 ? 'FLOAT' : ELEMENTS.float32.onnx;
  results.forEach((result, i) => {
    const isWide = outputs[i] && isHalf(outputs[i]);
    b.output(`y${i}`, isWide ? b.op('Cast', [result], { to }) : result, isWide ? 'float32' : outputs[i]);
  });
  return { name, operator, bytes: b.toBytes(), feeds };
}

/** A case for each input in halves but caches; none where something is held in sequences or subgraphs, which keep halves. */
function casesOfCombination(c: Combination): HalfCase[] {
  const { domain, op, since } = c.schema;
  const operator = findOperator(domain, op, since);
  if (!operator || Object.values(c.types).some((type) => !type.startsWith('tensor('))) return [];
  if (c.schema.attributes.some(({ type }) => type === 'graph')) return [];
  const form = hasFullest(c) ? 'fullest' : 'smallest';
  const parts = partsOf(modelBuilder({ opset: since }), c, form, 0, {});
  const inputs = parts.inputs.map((input) => input && filled(input.type, input.given));
  if (!inputs.every((input) => input === null || isTensorValue(input))) return [];
  const tensors = inputs as (TensorValue | null)[];
  const outputs = parts.outputs.map((type) => (type.kind === 'tensor' ? type.element : undefined));
  const attributes = (b: ModelBuilder, values: readonly (Value | null)[]) =>
    partsOf(b, c, form, 0, {}).attributes(values);
  const node = { operator, inputs: tensors, attributes, outputs, opset: domain ? 21 : since };
  return tensors.flatMap((input, i) =>
    input && isHalf(input.type) && !operator.caches?.includes(i)
      ? [caseOf(`${domain}:${op} ${c.label}, input ${i}`, node, i)]
      : [],
  );
}

/** What the versions that ONNX's schemas do not have yet are like: the newest before them. */
function newerSchemas(schemas: readonly Schema[]): Schema[] {
  return allOperators().flatMap((operator) => {
    const { domain, name, since } = operator;
    const versions = schemas.filter((schema) => schema.domain === domain && schema.op === name);
    const newest = Math.max(...versions.map((schema) => schema.since));
    return since > newest ? versions.filter((schema) => schema.since === newest).map((s) => ({ ...s, since })) : [];
  });
}

/** Nodes by ONNX's own schemas. */
export function schemaCases(folder: string): HalfCase[] {
  const schemas = readSchemas(folder);
  return [...schemas, ...newerSchemas(schemas)].flatMap((s) => combinationsOf(s).flatMap(casesOfCombination));
}

/** The inputs of a node of floats in halves, where its operator takes them. */
function inHalves(operator: AnyOperator, inputs: NodeOf['inputs'], half: Half): (TensorValue | null)[] | undefined {
  const isMet = (i: number) => {
    const types = operator.types[parameterAt(operator.signature.inputs, i)?.type ?? ''];
    return takesEither(types) && types?.includes(half);
  };
  if (!inputs.some((input, i) => input && isMet(i))) return undefined;
  return inputs.map((input, i) =>
    input && (input.type === 'float32' || isHalf(input.type)) && isMet(i)
      ? tensorOf(half, input.dims, Float64Array.from(numbersOf(input) as Float64Array))
      : input,
  );
}

/** A stored model of one node, once for each type of halves and each input that may be of it. */
function casesOfModel({ label, model, feeds }: StoredCase): HalfCase[] {
  const { graph, opsets } = readModel(Buffer.from(model, 'base64'));
  const [node, ...others] = graph.nodes;
  if (!node || others.length > 0 || subgraphsOf(node).length > 0) return [];
  const { domain, op, attributes } = node;
  const [opset, version] = [opsets.get('') ?? 21, opsets.get(domain) ?? 1];
  const operator = findOperator(domain, op, domain ? version : opset);
  if (!operator || !takesHalves(operator)) return [];
  const fed = read(feeds) as Record<string, TensorValue>;
  const inputs = node.inputs.map((value) => value && (value.constant ?? fed[value.name] ?? null));
  const constant = node.inputs.flatMap((value, i) => (value?.constant ? [i] : []));
  return HALVES.flatMap((half) => {
    const halves = inHalves(operator, inputs, half) ?? [];
    const isFed = halves.some((input, i) => input?.type === half && !constant.includes(i));
    const constants = isFed ? constant : [];
    const own = { operator, inputs: halves, constants, attributes: () => attributes, opset, version };
    const outputs = node.outputs.map(() => half);
    return halves.flatMap((input, i) =>
      input?.type === half && !constants.includes(i) && !operator.caches?.includes(i)
        ? [caseOf(`${domain}:${op} ${half} ${label}, input ${i}`, { ...own, outputs }, i)]
        : [],
    );
  });
}

const EXPECTED = new URL('../contrib/expected/', import.meta.url);

/** The first of the cases that onnxruntime is a witness of, of each operator. */
export const contribCases = (count: number): HalfCase[] =>
  readdirSync(EXPECTED).flatMap((file) => {
    const { cases } = JSON.parse(readFileSync(new URL(file, EXPECTED), 'utf8')) as StoredCases;
    return cases.slice(0, count).flatMap(casesOfModel);
  });
