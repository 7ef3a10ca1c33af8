import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SardonyxError } from '../../../src/index.js';
import { fromTensorFlowJS, type TensorFlowJSArtifacts } from '../../../src/tools/index.js';
import { isAtLeast, sampled } from '../../tier.js';
import { GRAPH_CASES } from './graph-cases.js';
import { artifactsOf, seeded } from './graph-models.js';

const test = sampled(suite('damaged models of TensorFlow.js'), { quick: 1 / 4 });

const LAYERS = {
  modelTopology: {
    class_name: 'Functional',
    config: {
      name: 'm',
      layers: [
        {
          class_name: 'InputLayer',
          name: 'x',
          config: { name: 'x', batch_input_shape: [null, 4, 3], dtype: 'float32' },
          inbound_nodes: [],
        },
        {
          class_name: 'LSTM',
          name: 'l',
          config: { name: 'l', units: 2, return_sequences: true },
          inbound_nodes: [[['x', 0, 0, {}]]],
        },
        {
          class_name: 'Conv1D',
          name: 'c',
          config: { name: 'c', strides: [1], padding: 'same', use_bias: false },
          inbound_nodes: [[['l', 0, 0, {}]]],
        },
        {
          class_name: 'TimeDistributed',
          name: 't',
          config: { name: 't', layer: { class_name: 'Dense', config: { name: 'd', activation: 'relu' } } },
          inbound_nodes: [[['c', 0, 0, {}]]],
        },
        {
          class_name: 'Add',
          name: 'a',
          config: { name: 'a' },
          inbound_nodes: [
            [
              ['t', 0, 0, {}],
              ['c', 0, 0, {}],
            ],
          ],
        },
      ],
      input_layers: [['x', 0, 0]],
      output_layers: [['a', 0, 0]],
    },
  },
  weightSpecs: [
    { name: 'l/kernel', shape: [3, 8], dtype: 'float32' },
    { name: 'l/recurrent_kernel', shape: [2, 8], dtype: 'float32' },
    { name: 'l/bias', shape: [8], dtype: 'float32' },
    { name: 'c/kernel', shape: [3, 2, 5], dtype: 'float32' },
    { name: 't/kernel', shape: [5, 5], dtype: 'float32' },
  ],
  weightData: new ArrayBuffer(4 * (24 + 16 + 8 + 30 + 25)),
};

const REPLACEMENTS: readonly unknown[] = [
  null,
  undefined,
  -1,
  0,
  1e9,
  '',
  'x',
  'constructor',
  [],
  {},
  [null],
  true,
  Number.NaN,
  '-7',
  [[]],
];

/** A copy of it with one thing in it replaced. */
function damaged(value: unknown, next: () => number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof ArrayBuffer)
    return REPLACEMENTS[Math.floor(next() * REPLACEMENTS.length)];
  const keys = Object.keys(value);
  if (keys.length === 0 || next() < 0.05) return REPLACEMENTS[Math.floor(next() * REPLACEMENTS.length)];
  const at = keys[Math.floor(next() * keys.length)] as string;
  const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...value };
  copy[at] = damaged((value as Record<string, unknown>)[at], next);
  return copy;
}

const SOUND: readonly (readonly [string, TensorFlowJSArtifacts])[] = [
  ['layers', LAYERS],
  ...GRAPH_CASES.filter((_, i) => i % 12 === 0 || i > 232).map((given): [string, TensorFlowJSArtifacts] => [
    given.name,
    artifactsOf(given),
  ]),
];

const TRIALS = isAtLeast('all') ? { layers: 300, graph: 40 } : { layers: 100, graph: 20 };

for (const [name, sound] of SOUND)
  test(`${name}: is read, or refused`, async () => {
    const next = seeded(11);
    assert.ok((await fromTensorFlowJS(sound)).proto.graph);
    for (let i = 0; i < (name === 'layers' ? TRIALS.layers : TRIALS.graph); i++) {
      const artifacts = damaged(sound, next) as TensorFlowJSArtifacts;
      try {
        await fromTensorFlowJS(artifacts);
      } catch (thrown) {
        assert.instance(
          thrown,
          SardonyxError,
          `${(thrown as Error).stack}\n${`${JSON.stringify(artifacts)}`.slice(0, 3000)}`,
        );
        assert.is.not((thrown as SardonyxError).code, 'INTERNAL', (thrown as Error).message);
      }
    }
  });

test.run();
