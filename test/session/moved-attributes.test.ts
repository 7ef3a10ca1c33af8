import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ModelProto } from '../../build/onnx.js';
import { checkOperators } from '../../src/analysis/check-operators.js';
import { type AttributeInput, modelBuilder } from '../../src/builder/index.js';
import { loadGroups } from '../../src/groups/load-groups.js';
import { InferenceSession, type SardonyxError } from '../../src/index.js';
import { bindOpsets } from '../../src/model/bind-opsets.js';
import { readModel } from '../../src/model/read-model.js';
import { sinceOf as knownSince } from '../../src/schema/registry.js';
import { checkModel } from '../../src/tools/check/index.js';
import { arityOf, operatorsOf, type Schema, schemaOf, sinceOf } from '../../src/tools/schemas/schemas.js';

const test = suite('attributes that became inputs');

const VALUES: Readonly<Record<string, AttributeInput>> = {
  int: 1,
  ints: { type: 'ints', value: [1] },
  float: { type: 'float', value: 1 },
  floats: { type: 'floats', value: [1] },
  string: 'x',
  strings: { type: 'strings', value: ['x'] },
};

/** By ONNX's changelog: https://github.com/onnx/onnx/blob/main/docs/Changelog.md */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'Pad.value': 'constant_value',
  'Pad.paddings': 'pads',
  'TopK.k': 'K',
  'Upsample.height_scale': 'scales',
  'Upsample.width_scale': 'scales',
};

const versionsOf = (op: string): Schema[] =>
  sinceOf('', op)
    .map((since) => schemaOf('', op, since) as Schema)
    .filter(({ deprecated }) => !deprecated);

function bytesOf({ name, since }: Schema, inputs: number, attributes: Readonly<Record<string, AttributeInput>>) {
  const b = modelBuilder({ opset: since });
  const x = Array.from({ length: inputs }, (_, i) => b.input(`x${i}`, 'float32', [2]));
  b.output('y', b.op(name, x, attributes, { name: 'n' }), 'float32');
  return b.toBytes();
}

interface Outcome {
  /** What loading the model says of the node, and what the checker says. */
  readonly loading: string;
  readonly checker: string;
  /** Attributes that are left. */
  readonly left: readonly string[];
}

async function outcomeOf(bytes: Uint8Array): Promise<Outcome> {
  const model = readModel(bytes);
  bindOpsets(model.graph, model.opsets);
  const thrown = await checkOperators(model).then(
    () => undefined,
    (error: SardonyxError) => error,
  );
  const messages = (await checkModel(ModelProto.decode(bytes))).map(({ message }) => message);
  return {
    loading: thrown?.complaint ?? '',
    checker: messages.join('\n'),
    left: Object.keys(model.graph.nodes[0]?.attributes ?? {}),
  };
}

interface Trial {
  readonly label: string;
  /** Whether some version has it. */
  readonly known: boolean;
  /** The input that an attribute is, or the attribute that an input is; undefined where there is none. */
  readonly counterpart: string | undefined;
  readonly given: string;
  readonly bytes: Uint8Array;
}

function* attributeTrials(op: string): Generator<Trial> {
  const versions = versionsOf(op);
  for (const schema of versions) {
    const older = versions.filter(({ since }) => since < schema.since);
    const known = new Map(versions.flatMap(({ attributes }) => [...attributes]));
    const first = [...known.keys()][0];
    for (const given of [...known.keys(), ...(first ? [`${first}z`] : [])]) {
      if (schema.attributes.has(given)) continue;
      const type = known.get(given)?.type ?? 'int';
      if (!(type in VALUES)) continue;
      const wasOne = older.some(({ attributes }) => attributes.has(given));
      const name = OTHER_NAMES[`${op}.${given}`] ?? given;
      const counterpart = wasOne && schema.inputs.some((input) => input.name === name) ? name : undefined;
      const bytes = bytesOf(schema, arityOf(schema.inputs)[0], { [given]: VALUES[type] as AttributeInput });
      yield { label: `${op}-${schema.since}, attribute ${given}`, known: known.has(given), counterpart, given, bytes };
    }
  }
}

function* inputTrials(op: string): Generator<Trial> {
  const versions = versionsOf(op);
  for (const schema of versions) {
    const most = arityOf(schema.inputs)[1];
    const newer = versions.find(({ since, inputs }) => since > schema.since && inputs.length > most);
    if (!newer) continue;
    const given = newer.inputs[most]?.name as string;
    const names = [...schema.attributes.keys()];
    const counterpart = names.find((name) => (OTHER_NAMES[`${op}.${name}`] ?? name) === given);
    yield {
      label: `${op}-${schema.since}, input ${given}`,
      known: true,
      counterpart,
      given,
      bytes: bytesOf(schema, most + 1, {}),
    };
  }
}

/** Where loading or checking the model does not say both names, or says them of what has moved nowhere. */
async function faultsIn(trials: Iterable<Trial>): Promise<{ count: number; moved: number; faults: string[] }> {
  const faults: string[] = [];
  let [count, moved] = [0, 0];
  for (const { label, counterpart, known, given, bytes } of trials) {
    const { loading, checker, left } = await outcomeOf(bytes);
    count++;
    if (counterpart) moved++;
    for (const [by, said] of Object.entries({ loading, checker })) {
      const saysBoth =
        / since opset \d+/.test(said) && said.includes(`"${given}"`) && said.includes(`"${counterpart}"`);
      if (saysBoth !== (counterpart !== undefined)) faults.push(`${label}, by ${by}: ${said}`);
    }
    if (!known && left.includes(given)) faults.push(`${label}: is left`);
  }
  return { count, moved, faults };
}

await loadGroups();
const operators = operatorsOf('').filter((op) => knownSince('', op) !== undefined);

/** Says nothing of what is ignored. */
async function silently<T>(work: () => Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = () => {};
  return work().finally(() => {
    console.warn = warn;
  });
}

for (const [kind, trialsOf, least] of [
  ['attributes', attributeTrials, 40],
  ['inputs', inputTrials, 20],
] as const)
  test(`${kind} of another version, in every version of every operator`, async () => {
    const { count, moved, faults } = await silently(() => faultsIn(operators.flatMap((op) => [...trialsOf(op)])));
    assert.equal(faults, []);
    assert.ok(moved >= least, `${moved} of ${count}`);
  });

test('a session refuses the mean of everything, and says what to do', async () => {
  const b = modelBuilder({ opset: 18 });
  b.output('y', b.op('ReduceMean', [b.input('x', 'float32', [2, 3])], { axes: [1] }, { name: 'mean' }), 'float32');
  const error = await InferenceSession.create(b.toBytes()).then(
    () => undefined,
    (thrown: SardonyxError) => thrown,
  );
  assert.ok(error, 'is refused');
  assert.is(error.code, 'INVALID_ATTRIBUTE');
  assert.is(
    error.message,
    'ReduceMean "mean": "axes" is an attribute before opset 18; since opset 18 it is input 1, "axes". The model declares opset 18: change the node to match, or declare opset 17 or earlier',
  );
});

test.run();
