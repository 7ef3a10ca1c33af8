import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NodeProto } from '../../../build/onnx.js';
import type { Model } from '../../../src/model/document/model.js';
import { toNumber } from '../../../src/model/int64.js';
import { ConversionError, convertVersion } from '../../../src/tools/convert/index.js';
import { modelOf } from '../../../src/tools/model-of.js';
import { domainOf } from '../../../src/tools/schemas/domains.js';
import { operatorsOf, schemaOf, sinceOf } from '../../../src/tools/schemas/schemas.js';
import { parseModel } from '../../../src/tools/text.js';
import { backendModels } from '../check/models.js';
import { SAME } from './cases.js';
import { CROSSING } from './crossing.js';

const test = suite('every boundary between two versions of an operator');

/** Of models that hold an operator, the smallest are tried. */
const TRIED = 60;

interface Boundary {
  readonly domain: string;
  readonly name: string;
  readonly since: number;
}

const boundaries: readonly Boundary[] = ['', 'ai.onnx.ml'].flatMap((domain) =>
  operatorsOf(domain).flatMap((name) =>
    sinceOf(domain, name)
      .slice(1)
      .map((since) => ({ domain, name, since })),
  ),
);

const textOf = ({ domain, name, since }: Boundary) => `${domain && `${domain}.`}${name} ${since}`;

const keyOf = (domain: string, name: string) => `${domain}:${name}`;

/** Operators that a node stands for once it has ended. */
const SUCCESSORS: Readonly<Record<string, string>> = {
  Scatter: 'ScatterElements',
  Upsample: 'Resize',
  TreeEnsembleRegressor: 'TreeEnsemble',
};

/** Its votes stay those of a regressor. */
const ONE_WAY: readonly string[] = ['ai.onnx.ml.TreeEnsembleClassifier 5'];

const opsetOf = ({ proto }: Model, domain: string): number | undefined => {
  const found = proto.opsetImport.find((entry) => domainOf(entry.domain) === domain);
  return found && toNumber(found.version);
};

function operatorsIn(nodes: readonly NodeProto[], found = new Set<string>()): Set<string> {
  for (const { domain, opType, attribute } of nodes) {
    found.add(keyOf(domainOf(domain), opType));
    for (const { g } of attribute) if (g) operatorsIn(g.node, found);
  }
  return found;
}

const holds = ({ proto }: Model, operator: string) =>
  operatorsIn([proto.graph, ...proto.functions].flatMap((holder) => holder?.node ?? [])).has(operator);

async function converted(model: Model, target: number, domain: string): Promise<Model | undefined> {
  try {
    return await convertVersion(model, target, { domain: domain as '' | 'ai.onnx.ml' });
  } catch (thrown) {
    if (thrown instanceof ConversionError) return undefined;
    throw thrown;
  }
}

/** Models by the operators that they hold, small ones first. */
function indexed(models: readonly Model[]): Map<string, Model[]> {
  const index = new Map<string, Model[]>();
  for (const model of models)
    for (const operator of operatorsIn([model.proto.graph, ...model.proto.functions].flatMap((h) => h?.node ?? [])))
      index.set(operator, [...(index.get(operator) ?? []), model]);
  return index;
}

async function down({ domain, since }: Boundary, models: readonly Model[]): Promise<Model | undefined> {
  for (const model of models.filter((m) => (opsetOf(m, domain) ?? 0) >= since).slice(0, TRIED)) {
    const found = await converted(model, since - 1, domain);
    if (found) return found;
  }
  return undefined;
}

async function up(
  { domain, name, since }: Boundary,
  models: readonly Model[],
  below: Model | undefined,
): Promise<boolean> {
  const older = models.filter((m) => (opsetOf(m, domain) ?? since) < since).slice(0, TRIED);
  const candidates = below && holds(below, keyOf(domain, name)) ? [below, ...older] : older;
  for (const model of candidates) if (await converted(model, since, domain)) return true;
  return false;
}

const paths = backendModels();
test('is crossed upwards and downwards by a model', async () => {
  const texts = [...SAME.map(([, source, , text]) => [source, text] as const), ...CROSSING].map(
    ([source, text, ml = 1]) =>
      parseModel(`<ir_version: 8, opset_import: ["" : ${source}, "ai.onnx.ml" : ${ml}]> ${text}`),
  );
  const files = paths.map((path) => readFileSync(path)).sort((a, b) => a.length - b.length);
  const index = indexed([...texts, ...files.map((bytes) => modelOf(bytes))]);
  const refused: Record<'up' | 'down', string[]> = { up: [], down: [] };
  for (const boundary of boundaries) {
    const { domain, name, since } = boundary;
    const isEnd = schemaOf(domain, name, since)?.deprecated;
    const models = index.get(keyOf(domain, name)) ?? [];
    const newer = isEnd ? (index.get(keyOf(domain, SUCCESSORS[name] ?? '')) ?? []) : models;
    const below = await down(boundary, newer);
    if (!below) refused.down.push(textOf(boundary));
    if (!(await up(boundary, models, below))) refused.up.push(textOf(boundary));
  }
  assert.is(boundaries.length, 415);
  assert.equal(refused, { up: [], down: ONE_WAY });
});

test.run();
