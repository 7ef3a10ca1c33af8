import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { operatorName } from '../../src/graph/walk.js';
import { loadGroups } from '../../src/groups/load-groups.js';
import { readModel } from '../../src/model/read-model.js';
import { readFile } from '../../src/tools/conformance/case.js';
import { factsOf } from '../../src/tools/conformance/facts.js';
import { dataSetsAmong } from '../../src/tools/conformance/layout.js';
import { toleranceOf } from '../../src/tools/conformance/tolerances.js';
import { feedsOf } from '../../src/tools/conformance/values.js';
import { backendTests, type Case, casesOf } from '../conformance/suite.js';
import { read, type StoredCase, type StoredCases } from '../contrib/stored.js';
import { byTier, sample, sampleByTier } from '../tier.js';
import { disagreementsOf, type Subject, variedInputs } from './open-shapes.js';

/** What is fed to a model of open sizes is refused where a model of these sizes is refused, and gives the same where that runs. */
const test = suite('inputs that do not fit together, of open sizes');

/**
 * Operators that are made of others when the model loads, and what these take beyond the operator's own dims. Such feeds may
 * be taken.
 */
const LENIENT: Readonly<Record<string, string>> = {
  BatchNormalization: 'one running statistic broadcasts to that of each channel',
  RotaryEmbedding: 'rows are gathered from each table alone',
  SwiGLU: 'the multiplication broadcasts',
};

const ALL = Number.POSITIVE_INFINITY;
/** Inputs of each case whose dims vary. */
const INPUTS = byTier({ quick: 1, ci: 2, all: ALL });

async function subjectOf({ name, folder, bytes }: Case): Promise<Subject> {
  const { inputs, isRandom } = factsOf(bytes);
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const [set] = dataSetsAmong(paths.map((path) => [path, () => readFileSync(`${folder}/${path}`)] as const));
  const feeds = set ? await feedsOf(inputs, set, readFile) : {};
  return { name, model: bytes, feeds, tolerance: toleranceOf(name), isRandom, isLenient: isLenient(bytes) };
}

const isLenient = (bytes: Uint8Array) => readModel(bytes).graph.nodes.some((node) => operatorName(node) in LENIENT);

async function findingsIn(subject: Subject, most = INPUTS): Promise<string[]> {
  const found: string[] = [];
  for (const input of sample(variedInputs(subject), most)) found.push(...(await disagreementsOf(subject, input)).found);
  return found;
}

const cases = casesOf(backendTests(), 'node').filter(({ unsupported }) => unsupported.length === 0);

/** Cases of operators that read outside their operands, or refused a valid model. */
const ONCE_WRONG = [
  'test_attention_4d_diff_heads_mask4d_padded_kv',
  'test_basic_deform_conv_with_padding',
  'test_constant_pad_axes',
  'test_gathernd_example_int32_batch_dim1',
  'test_nonmaxsuppression_suppress_by_IOU_and_scores',
  'test_resize_upsample_sizes_cubic',
  'test_scatternd_min_with_element_indices',
];

test('cases that once differed', async () => {
  const own = cases.filter(({ name }) => ONCE_WRONG.includes(name));
  assert.is(own.length, ONCE_WRONG.length);
  const found: string[] = [];
  for (const each of own) found.push(...(await findingsIn(await subjectOf(each), ALL)));
  assert.equal(found, []);
});

test("ONNX's cases", async () => {
  const found: string[] = [];
  for (const each of sampleByTier(cases, { quick: 30, ci: 60, all: ALL }, ({ name }) => name))
    found.push(...(await findingsIn(await subjectOf(each))));
  assert.equal(found, []);
});

const EXPECTED = new URL('../contrib/expected/', import.meta.url);

/** Most of these operators are made of others that broadcast, slice and gather. */
function storedSubjects(file: string): Subject[] {
  const { cases, tolerance } = JSON.parse(readFileSync(new URL(file, EXPECTED), 'utf8')) as StoredCases;
  return cases.map((own: StoredCase) => ({
    name: `${file.replace('.json', '')}, "${own.label}"`,
    model: Buffer.from(own.model, 'base64'),
    feeds: read(own.feeds),
    tolerance: own.tolerance ?? tolerance,
    isLenient: true,
  }));
}

test('cases of com.microsoft', async () => {
  await loadGroups();
  const subjects = readdirSync(EXPECTED).flatMap(storedSubjects);
  const found: string[] = [];
  for (const each of sampleByTier(subjects, { quick: 10, ci: 20, all: 600 }, ({ name }) => name))
    found.push(...(await findingsIn(each)));
  assert.equal(found, []);
});

test.run();
