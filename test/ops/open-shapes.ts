import { SardonyxError } from '../../src/base/errors.js';
import type { Model, Value } from '../../src/graph/graph.js';
import { symbol } from '../../src/graph/sizes.js';
import { tensorType } from '../../src/graph/types.js';
import { readModel } from '../../src/model/read-model.js';
import { writeModel } from '../../src/model/write-model.js';
import { InferenceSession } from '../../src/session/inference-session.js';
import type { SessionOptions } from '../../src/session/options.js';
import { ELEMENTS } from '../../src/tensor/element-types.js';
import { emptyData } from '../../src/tensor/empty-data.js';
import { elementCount, type HostValue, isTensorValue, type TensorValue } from '../../src/tensor/tensor-value.js';
import { difference, type Tolerance } from '../conformance/compare.js';

type Feeds = Readonly<Record<string, HostValue>>;

/** A model and what it is fed. */
export interface Subject {
  readonly name: string;
  readonly model: Uint8Array;
  readonly feeds: Feeds;
  readonly tolerance?: Tolerance;
  /** Whether it draws random numbers: only types and dims of its outputs count. */
  readonly isRandom?: boolean;
  /** Whether it may run where declared dims are refused, if it reads nothing beyond its operands. */
  readonly isLenient?: boolean;
}

interface Variation {
  readonly label: string;
  readonly feeds: Feeds;
}

/** Which sizes of its inputs a model leaves open, and in which form of its graph it runs. */
interface Opening {
  readonly label: string;
  readonly options: SessionOptions;
  /** What is said of each input: that its sizes are open, or numbers, or that it is a constant. */
  readonly inputs: (name: string) => 'open' | 'declared' | 'constant';
}

const RAW: SessionOptions = { graphOptimizationLevel: 'disabled' };

/** Where other inputs are constants or have declared sizes, operators decompose when the model loads. */
const openingsAround = (own: string, isAlone: boolean): Opening[] => [
  { label: 'all is open', options: {}, inputs: () => 'open' },
  { label: 'all is open, raw', options: RAW, inputs: () => 'open' },
  ...(isAlone
    ? []
    : [
        {
          label: 'the others are constants',
          options: {},
          inputs: (name: string) => (name === own ? 'open' : 'constant') as 'open' | 'constant',
        },
        {
          label: 'it alone is open, raw',
          options: RAW,
          inputs: (name: string) => (name === own ? 'open' : 'declared') as 'open' | 'declared',
        },
      ]),
];

const valuesOf = ({ graph }: Model): Value[] =>
  [...graph.nodes.flatMap(({ outputs }) => outputs), ...graph.outputs].filter((value) => value !== null);

/** The model with inputs as `opening` has them, which declares no dims of other values. */
function opened(bytes: Uint8Array, inputs: Opening['inputs'], feeds: Feeds): Uint8Array {
  const model = readModel(bytes);
  const { graph } = model;
  for (const value of valuesOf(model))
    if (value.type?.kind === 'tensor' && !graph.inputs.includes(value)) value.type = tensorType(value.type.element);
  for (const value of graph.inputs) {
    const fed = feeds[value.name];
    if (!isTensorValue(fed)) continue;
    const form = inputs(value.name);
    const dims = form === 'open' ? fed.dims.map((_, axis) => symbol(`${value.name}_${axis}`)) : fed.dims;
    value.type = tensorType(fed.type, dims);
    if (form === 'constant') value.constant = fed;
    else delete value.constant;
  }
  graph.inputs = graph.inputs.filter(({ constant }) => !constant);
  return writeModel(model);
}

/** The tensor with other dims; its elements are repeated as often as that takes. */
function refilled({ type, dims, data }: TensorValue, next: readonly number[]): TensorValue {
  const { bits, entries = 1 } = ELEMENTS[type];
  const length = bits > 0 && bits < 8 ? data.length : elementCount(dims) * entries;
  const filled = emptyData(type, next) as unknown[];
  for (let i = 0; i < filled.length && length > 0; i++) filled[i] = data[i % length];
  return { type, dims: next, data: filled } as unknown as TensorValue;
}

/** One more, one less and 1 along each axis of an input. */
function variationsOf(feeds: Feeds, input: string): Variation[] {
  const value = feeds[input] as TensorValue;
  return value.dims.flatMap((size, axis) => {
    const others = new Set([size + 1, Math.max(size - 1, 0), 1]);
    others.delete(size);
    return [...others].map((other) => {
      const dims = value.dims.with(axis, other);
      const label = `${input} [${dims}] in place of [${value.dims}]`;
      return { label, feeds: { ...feeds, [input]: refilled(value, dims) } };
    });
  });
}

/** Results, or why there are none. */
type Outcome = Readonly<Record<string, HostValue>> | Error;

async function outcomeOf(session: InferenceSession | Error, feeds: Feeds): Promise<Outcome> {
  if (session instanceof Error) return session;
  try {
    const results = await session.run(feeds as never);
    return Object.fromEntries(Object.entries(results).map(([name, value]) => [name, plain(value as HostValue)]));
  } catch (error) {
    return error as Error;
  }
}

const plain = (value: HostValue): HostValue =>
  isTensorValue(value) ? { type: value.type, dims: value.dims, data: value.data } : value;

const open = (bytes: Uint8Array, options: SessionOptions): Promise<InferenceSession | Error> =>
  InferenceSession.create(bytes, options).catch((error: Error) => error);

const release = async (session: InferenceSession | Error) => {
  if (!(session instanceof Error)) await session.release();
};

/** What the model gives if its inputs are declared with exactly these dims. */
async function declaredOutcome(model: Uint8Array, feeds: Feeds): Promise<Outcome> {
  const session = await open(
    opened(model, () => 'declared', feeds),
    {},
  );
  const outcome = await outcomeOf(session, feeds);
  await release(session);
  return outcome;
}

/** What the model gives whose operands are apart in memory: reads beyond them show. */
async function guardedOutcome(model: Uint8Array, feeds: Feeds, options: SessionOptions): Promise<Outcome> {
  const session = await open(model, { ...options, guardBytes: 128 });
  const outcome = await outcomeOf(session, feeds);
  await release(session);
  return outcome;
}

const formOf = (value: HostValue): HostValue => (isTensorValue(value) ? { ...value, data: [] as never } : value);

function disagreement(open: Outcome, declared: Outcome, { tolerance, isRandom }: Subject): string | undefined {
  if (open instanceof Error) {
    if (!(open instanceof SardonyxError) || open.code === 'INTERNAL') return `fails: ${open.stack}`;
    return declared instanceof Error ? undefined : `is refused: ${open.message}`;
  }
  if (declared instanceof Error) return `is taken, but declared it is refused: ${declared.message}`;
  const form = isRandom ? formOf : (value: HostValue) => value;
  for (const [name, value] of Object.entries(declared)) {
    const found = difference(form(open[name] as HostValue), form(value), tolerance);
    if (found) return `output "${name}": ${found}`;
  }
  return undefined;
}

/** The inputs whose dims can vary. */
export const variedInputs = ({ feeds }: Subject): string[] =>
  Object.keys(feeds).filter((name) => {
    const value = feeds[name];
    return isTensorValue(value) && value.dims.length > 0;
  });

interface Findings {
  readonly tried: number;
  readonly found: readonly string[];
}

/** Where the model with open sizes and those with declared ones disagree, if the dims of one input vary. */
export async function disagreementsOf(subject: Subject, input: string): Promise<Findings> {
  const { model, feeds, name } = subject;
  const variations: Variation[] = [{ label: 'its own dims', feeds }, ...variationsOf(feeds, input)];
  const declared: Outcome[] = [];
  for (const each of variations) declared.push(await declaredOutcome(model, each.feeds));
  const tensors = Object.values(feeds).filter((value) => isTensorValue(value));
  const openings = openingsAround(input, tensors.length === 1);
  const found: string[] = [];
  for (const { label: way, inputs, options } of openings) {
    const session = await open(opened(model, inputs, feeds), options);
    const isFed = (of: string) => inputs(of) !== 'constant' || !isTensorValue(feeds[of]);
    for (const [i, each] of variations.entries()) {
      const fed = Object.fromEntries(Object.entries(each.feeds).filter(([of]) => isFed(of)));
      const outcome = await outcomeOf(session, fed);
      const isTaken = declared[i] instanceof Error && !(outcome instanceof Error);
      const expected =
        isTaken && subject.isLenient ? await guardedOutcome(opened(model, inputs, feeds), fed, options) : declared[i];
      const problem = disagreement(outcome, expected as Outcome, subject);
      if (problem) found.push(`${name}, ${input}, ${way}: ${each.label} ${problem}`);
    }
    await release(session);
  }
  return { tried: openings.length * variations.length, found };
}
