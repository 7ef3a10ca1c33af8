import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { detectionDistance, TOLERANCE } from '../../bench/agreement.js';
import type { NamedTensor } from '../../bench/inputs.js';
import { modelFolder } from '../../bench/model-folders.js';
import { readModel } from '../../src/model/read-model.js';
import { readValue } from '../../src/model/read-values.js';
import { type HostValue, isTensorValue } from '../../src/tensor/tensor-value.js';
import { difference } from '../conformance/compare.js';
import { DYNAMIC } from './dynamic-models.js';

type Values = Readonly<Record<string, HostValue>>;

/** Feeds, and what must come of them. */
export interface Case {
  readonly feeds: Values;
  readonly expected: Values;
}

/** A model with cases whose results somebody else has said. */
export interface Subject {
  readonly name: string;
  readonly path: string;
  /** The case that takes the most memory: what a session runs first, so that one is as large as another. */
  readonly largest: Case;
  draw(random: () => number): Case;
  /** What keeps results from being right. */
  difference(actual: Values, expected: Values): string | undefined;
}

const STORED = [
  ...['bert_mini', 'digits_cnn_trained', 'forest_trained', 'gbdt_trained', 'gpt_mini', 'gru', 'iris_pipeline_trained'],
  ...['lstm', 'mobilenet_v2', 'mobilenet_v3_small', 'squeezenet1_1', 'ssdlite320', 'unet_small', 'vit_tiny6'],
];

/** Stored outputs are another runtime's: sums of thousands of products in another order. */
const STORED_TOLERANCE = { relative: 1e-3, absolute: 2e-4 };
const COMPUTED_TOLERANCE = { relative: 1e-4, absolute: 1e-5 };

export const pick = <T>(items: readonly T[], random: () => number): T =>
  items[Math.floor(random() * items.length)] as T;

/** All models at hand; those of the builder are written into a folder. */
export const subjects = (folder: string): Subject[] => [...STORED.map(storedSubject), ...dynamicSubjects(folder)];

export const dynamicSubjects = (folder: string): Subject[] =>
  DYNAMIC.map(({ name, model, largest, draw }) => {
    const path = join(folder, `${name}.onnx`);
    writeFileSync(path, model());
    return { name, path, largest, draw, difference: differenceWithin(COMPUTED_TOLERANCE) };
  });

export function storedSubject(name: string): Subject {
  const folder = modelFolder(name, []);
  const path = join(folder, 'model.onnx');
  const { graph } = readModel(readFileSync(path));
  const inputs = graph.inputs.filter(({ constant }) => !constant);
  const cases = readdirSync(folder)
    .filter((set) => set.startsWith('test_data_set_'))
    .map((set): Case => {
      const read = (kind: string, { name, type }: (typeof inputs)[number], i: number) =>
        [name, readValue(readFileSync(join(folder, set, `${kind}_${i}.pb`)), type?.kind)] as const;
      return {
        feeds: Object.fromEntries(inputs.map((value, i) => read('input', value, i))),
        expected: Object.fromEntries(graph.outputs.map((value, i) => read('output', value, i))),
      };
    });
  const [first, ...others] = [...cases].sort((a, b) => elementsIn(b.feeds) - elementsIn(a.feeds));
  if (!first) throw new Error(`${folder} has no data`);
  return {
    name,
    path,
    largest: first,
    draw: (random) => pick([first, ...others], random),
    difference: name === 'ssdlite320' ? detectionDifference : differenceWithin(STORED_TOLERANCE),
  };
}

/** Detections that score alike may come in another order. */
function detectionDifference(actual: Values, expected: Values): string | undefined {
  const [some, others] = [actual, expected].map((values) => Object.values(values) as NamedTensor[]);
  const share = detectionDistance(some as NamedTensor[], others as NamedTensor[]);
  return share <= TOLERANCE.detections ? undefined : `${share} of the detections have no counterpart`;
}

const elementsIn = (values: Values) =>
  Object.values(values).reduce((sum, value) => sum + (isTensorValue(value) ? value.data.length : 0), 0);

const differenceWithin =
  (tolerance: typeof STORED_TOLERANCE): Subject['difference'] =>
  (actual, expected) => {
    for (const [name, value] of Object.entries(expected)) {
      const found = difference(actual[name] as HostValue, value, tolerance);
      if (found) return `${name}: ${found}`;
    }
    return undefined;
  };
