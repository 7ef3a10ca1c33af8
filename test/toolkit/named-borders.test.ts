import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../src/builder/index.js';
import { optimizedModel } from '../../src/cli/optimize-model.js';
import { NAMED_BORDERS } from '../../src/graph/named-borders.js';
import { loadGroups } from '../../src/groups/load-groups.js';
import { InferenceSession } from '../../src/index.js';
import { writeModel } from '../../src/model/write-model.js';
import { allOperators } from '../../src/schema/registry.js';
import { openModel } from '../../src/session/open-model.js';
import { addPrefix, inlineFunctions, loadModel, parseModel, saveModel, simplify } from '../../src/tools/index.js';
import { withUniqueNames } from '../../src/tools/reduce/unique-names.js';

const test = suite('subgraphs whose inputs and outputs are read by name');

/** A decoder whose inputs are called as the model's, as exporters have it; a constant that folds, and an output that is an input. */
const DECODER = `<decoder = decoder (int32[b,l] input_ids, int32[b,l] position_ids, int32[b,t] attention_mask, float[2,b,1,p,1] past_0)
    => (float[b,l,5] logits, float[2,b,1,p,1] present_0) {
  half = Constant <value = float {0.5}> ()
  twice = Add (half, half)
  rows = Gather (table, input_ids)
  logits = Mul (rows, twice)
  present_0 = Identity (past_0)
}, eos_token_id = 0, pad_token_id = 1>`;
const TABLE = 'float[5,5] table = {0,1,2,3,4,1,0,5,2,0,3,1,0,2,7,0,9,1,2,3,4,1,6,0,2}';

const plain = parseModel(`<ir_version: 10, opset_import: ["" : 21, "com.microsoft" : 1]>
g (int32[1,2] input_ids) => (int32[1,6] logits) <${TABLE}, int32 limit = {6}> {
  same = Identity (input_ids)
  logits = com.microsoft.GreedySearch ${DECODER} (same, limit)
}`);

const called = parseModel(`<ir_version: 10, opset_import: ["" : 21, "com.microsoft" : 1, "local" : 1]>
g (int32[1,2] input_ids) => (int32[1,6] logits) <${TABLE}, int32 limit = {6}> { logits = local.search (input_ids, limit, table) }
<domain: "local", opset_import: ["" : 21, "com.microsoft" : 1]> search (prompt, limit, table) => (found) {
  found = com.microsoft.GreedySearch ${DECODER} (prompt, limit)
}`);

async function resultOf(bytes: Uint8Array): Promise<number[]> {
  const session = await InferenceSession.create(bytes);
  const [input] = session.inputNames as [string];
  const results = await session.run({ [input]: tensor('int32', [1, 2], [2, 3]) } as never);
  await session.release();
  return Array.from((Object.values(results)[0] as unknown as { data: Int32Array }).data);
}

/** Row 3 is largest at 1, row 1 at 2, row 2 at 4, row 4 at 2. */
const EXPECTED = [2, 3, 1, 2, 4, 2];

type Change = (bytes: Uint8Array) => Promise<Uint8Array>;

const CHANGES: Readonly<Record<string, Change>> = {
  nothing: async (bytes) => bytes,
  simplify: async (bytes) => saveModel((await simplify(await loadModel(bytes))).model),
  optimize: async (bytes) => writeModel((await optimizedModel(await openModel(bytes, {}), 'extended')).optimized),
  'a prefix': async (bytes) => saveModel(addPrefix(await loadModel(bytes), 'p/')),
  'functions in place': async (bytes) => saveModel(await inlineFunctions(await loadModel(bytes))),
  'unique names': async (bytes) => saveModel(withUniqueNames(await loadModel(bytes))),
};

for (const [name, change] of Object.entries(CHANGES))
  test(`they stay: ${name}`, async () => {
    for (const model of [plain, called]) assert.equal(await resultOf(await change(await saveModel(model))), EXPECTED);
  });

test('they are all operators with subgraphs that onnxruntime adds', async () => {
  await loadGroups();
  const withGraphs = allOperators().filter(
    ({ domain, attributes }) =>
      domain === 'com.microsoft' && Object.keys(attributes).some((name) => /^(init_)?decoder$/.test(name)),
  );
  assert.equal(new Set(withGraphs.map(({ domain, name }) => `${domain}:${name}`)), NAMED_BORDERS);
});

test.run();
