import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readModel } from '../../../src/model/read-model.js';
import { readValue } from '../../../src/model/read-values.js';
import { findOperator } from '../../../src/schema/registry.js';
import type { HostValue } from '../../../src/tensor/tensor-value.js';
import { combinationsOf } from '../../conformance/combinations.js';
import { readSchemas } from '../../conformance/schemas.js';
import { hasFullest, smokeModel } from '../../conformance/smoke-model.js';
import { backendTests } from '../../conformance/suite.js';
import { shared } from '../../shared-data.js';
import { type Given, HAND_MADE } from './hand-made.js';
import type { Random } from './random.js';

/** A model that runs, and its feeds. */
export interface Specimen extends Given {
  readonly name: string;
}

/** Larger models take too long to be damaged by the thousand. */
const MAX_BYTES = 1 << 14;

type Draw = (random: Random) => Specimen;

/** Operators and those that lean on each other come up most; what is not there is not drawn from. */
const SHARES: readonly (readonly [share: number, of: () => Draw | undefined])[] = [
  [2, handMade],
  [3, operators],
  [2, () => backendCases('node')],
  [1, () => backendCases('simple')],
];

let draws: Draw[] | undefined;

/** A model of the corpus. The groups of operators must have been loaded. */
export function specimen(random: Random): Specimen {
  draws ??= SHARES.flatMap(([share, of]) => {
    const draw = of();
    return draw ? new Array<Draw>(share).fill(draw) : [];
  });
  return random.pick(draws)(random);
}

function handMade(): Draw {
  const made = new Map<string, Specimen>();
  const names = Object.keys(HAND_MADE);
  return (random) => {
    const name = random.pick(names);
    const known = made.get(name) ?? { name, ...(HAND_MADE[name] as () => Given)() };
    made.set(name, known);
    return known;
  };
}

/** Every version of every operator on every type, as the smoke tests run them. */
function operators(): Draw | undefined {
  const folder = shared('onnx-schemas');
  if (!folder) return undefined;
  const byName = new Map<string, ReturnType<typeof readSchemas>>();
  for (const schema of readSchemas(folder)) {
    const name = `${schema.domain}.${schema.op}`;
    // Gradient's attributes name values around it: ONNX's own cases have it.
    if (!findOperator(schema.domain, schema.op, schema.since) || schema.op === 'Gradient') continue;
    byName.set(name, [...(byName.get(name) ?? []), schema]);
  }
  const names = [...byName.keys()];
  return (random) => {
    const schema = random.pick(byName.get(random.pick(names)) ?? []);
    const combination = random.pick(combinationsOf(schema));
    const form = random.pick(
      hasFullest(combination) ? (['fullest', 'constant', 'smallest'] as const) : (['smallest', 'constant'] as const),
    );
    const { bytes, feeds } = smokeModel([combination], form);
    return { name: `${schema.op} ${combination.label}, ${form}`, bytes, feeds };
  };
}

/** ONNX's own cases. */
function backendCases(group: string): Draw | undefined {
  const root = backendTests();
  if (!root) return undefined;
  const small = readdirSync(join(root, group))
    .sort()
    .filter((name) => sizeOf(join(root, group, name)) <= MAX_BYTES);
  const read = new Map<string, Specimen>();
  return (random) => {
    const name = random.pick(small);
    const found = read.get(name) ?? backendCase(name, join(root, group, name));
    read.set(name, found);
    return found;
  };
}

function backendCase(name: string, folder: string): Specimen {
  const bytes = new Uint8Array(readFileSync(join(folder, 'model.onnx')));
  const feeds: Record<string, HostValue> = {};
  readModel(bytes).graph.inputs.forEach((input, i) => {
    const file = join(folder, 'test_data_set_0', `input_${i}.pb`);
    if (existsSync(file)) feeds[input.name] = readValue(readFileSync(file), input.type?.kind);
  });
  return { name, bytes, feeds };
}

function sizeOf(folder: string): number {
  const files = [join(folder, 'model.onnx'), ...inSet(join(folder, 'test_data_set_0'))];
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}

const inSet = (folder: string) => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []);
