import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sizeOf, tensorType } from '../../src/graph/types.js';
import { loadGroups } from '../../src/groups/load-groups.js';
import { readModel } from '../../src/model/read-model.js';
import { writeModel } from '../../src/model/write-model.js';
import { InferenceSession } from '../../src/session/inference-session.js';
import { difference } from '../conformance/compare.js';
import { sampleByTier } from '../tier.js';
import { read, type StoredCase, type StoredCases } from './stored.js';

const test = suite('operators of com.microsoft, some of whose sizes are open');

/** The symbol of an axis of an input; undefined where its size stays a number. */
type Symbols = (input: number, axis: number, size: number) => string | undefined;

interface Way {
  readonly label: string;
  readonly symbols: Symbols;
}

const nameOf = (input: number, axis: number) => `x${input}_${axis}`;

/** One axis alone, one input, all axes of one size as one symbol, all but one axis, all. */
function waysOf(shapes: readonly (readonly number[])[]): Way[] {
  const axes = shapes.flatMap((dims, input) => dims.map((size, axis) => ({ input, axis, size })));
  const sizes = [...new Set(axes.map(({ size }) => size))];
  return [
    { label: 'all', symbols: nameOf },
    ...axes.map((own) => ({
      label: `axis ${own.axis} of input ${own.input}`,
      symbols: (input: number, axis: number) => (input === own.input && axis === own.axis ? 'n' : undefined),
    })),
    ...axes.map((own) => ({
      label: `all but axis ${own.axis} of input ${own.input}`,
      symbols: (input: number, axis: number) =>
        input === own.input && axis === own.axis ? undefined : nameOf(input, axis),
    })),
    ...shapes.map((_, own) => ({
      label: `input ${own}`,
      symbols: (input: number, axis: number) => (input === own ? nameOf(input, axis) : undefined),
    })),
    ...sizes.map((own) => ({
      label: `sizes of ${own}`,
      symbols: (_input: number, _axis: number, size: number) => (size === own ? 'n' : undefined),
    })),
  ];
}

const shapesOf = (bytes: Uint8Array): readonly (readonly number[])[] =>
  readModel(bytes).graph.inputs.map(({ type }) =>
    type?.kind === 'tensor' ? ((type.dims ?? []) as readonly number[]) : [],
  );

function opened(bytes: Uint8Array, symbols: Symbols): Uint8Array {
  const model = readModel(bytes);
  for (const [i, value] of model.graph.inputs.entries()) {
    if (value.type?.kind !== 'tensor') continue;
    const { element, dims = [] } = value.type;
    value.type = tensorType(
      element,
      dims.map((size, axis) => sizeOf(symbols(i, axis, Number(size)) ?? size)),
    );
  }
  for (const value of model.graph.outputs)
    if (value.type?.kind === 'tensor') value.type = tensorType(value.type.element);
  return writeModel(model);
}

interface Trial extends Way {
  readonly op: string;
  readonly own: StoredCase;
  readonly stored: StoredCases;
}

async function findings({ op, label, symbols, own, stored }: Trial): Promise<string[]> {
  const name = `${op}, "${own.label}", ${label}`;
  const { tolerance = stored.tolerance } = own;
  try {
    const session = await InferenceSession.create(opened(Buffer.from(own.model, 'base64'), symbols));
    const results = await session.run(read(own.feeds));
    await session.release();
    return Object.entries(read(own.expected)).flatMap(([output, value]) => {
      const { type, dims, data } = results[output] as typeof value;
      const wrong = difference({ type, dims, data } as typeof value, value, tolerance);
      return wrong ? [`${name}: ${wrong}`] : [];
    });
  } catch (error) {
    return [`${name}: ${(error as Error).message}`];
  }
}

const storedIn = (file: string): StoredCases =>
  JSON.parse(readFileSync(new URL(`expected/${file}`, import.meta.url), 'utf8')) as StoredCases;

function trialsOf(file: string): Trial[] {
  const stored = storedIn(file);
  return stored.cases.flatMap((own) => {
    const ways = waysOf(shapesOf(Buffer.from(own.model, 'base64')));
    return ways.map((way) => ({ ...way, op: file.replace('.json', ''), own, stored }));
  });
}

const FILES = readdirSync(new URL('expected/', import.meta.url));
const isOfAttention = (file: string) => /Attention/.test(file);

await loadGroups();

/** Inputs of the past, by their places in the node, and the axis of its length. */
const PASTS: Readonly<Record<string, readonly [inputs: readonly number[], axis: number]>> = {
  Attention: [[4], 3],
  DecoderMaskedMultiHeadAttention: [[5, 6], 2],
  GroupQueryAttention: [[3, 4], 2],
  MultiHeadAttention: [[6, 7], 2],
};

/** Cases of each of them. */
const MOST = 3;

for (const [op, [places, axis]] of Object.entries(PASTS))
  test(`${op}: the results are onnxruntime's where the length of the past alone is open`, async () => {
    const names = places.map((place) => `x${place}`);
    const wrong: string[] = [];
    let tried = 0;
    const stored = storedIn(`${op}.json`);
    for (const own of stored.cases) {
      const { inputs } = readModel(Buffer.from(own.model, 'base64')).graph;
      const isPast = (input: number) => names.includes(inputs[input]?.name ?? '');
      if (!inputs.some((_, input) => isPast(input)) || tried === MOST) continue;
      const symbols: Symbols = (input, of) => (isPast(input) && of === axis ? 'past' : undefined);
      wrong.push(...(await findings({ op, label: 'past', symbols, own, stored })));
      tried++;
    }
    assert.equal(wrong, []);
    assert.is(tried, MOST);
  });

for (const [kind, files, counts] of [
  ['attention', FILES.filter(isOfAttention), { quick: 150, ci: 320, all: Number.POSITIVE_INFINITY }],
  ['the others', FILES.filter((file) => !isOfAttention(file)), { quick: 100, ci: 220, all: Number.POSITIVE_INFINITY }],
] as const)
  test(`${kind}: the results are onnxruntime's, whichever sizes are numbers`, async () => {
    const all = files.flatMap(trialsOf);
    const trials = sampleByTier(all, counts, ({ op, label, own }) => `${op} ${own.label} ${label}`);
    assert.ok(trials.length >= 50);
    const wrong: string[] = [];
    for (const trial of trials) wrong.push(...(await findings(trial)));
    assert.equal(wrong, [], `${wrong.length} of ${trials.length}`);
  });

test.run();
