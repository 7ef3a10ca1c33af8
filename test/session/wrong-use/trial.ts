import { InferenceSession, type Results, type SessionOptions } from '../../../src/index.js';
import { findOperator } from '../../../src/schema/registry.js';
import { emptyData } from '../../../src/tensor/empty-data.js';
import { type HostValue, isTensorValue } from '../../../src/tensor/tensor-value.js';
import { difference } from '../../conformance/compare.js';
import { hasFullest } from '../../conformance/smoke-model.js';
import { type BadValue, badValues, NODE_MUTATIONS } from './mutations.js';
import { type Draft, type Feeding, inputName, type Made, modelOf, type Subject } from './subject.js';
import { type Outcome, outcomeOf } from './verdict.js';

/** One wrong use of an operator. */
export interface Trial {
  readonly kind: string;
  readonly name: string;
  run(): Promise<Outcome>;
}

/** What can be tried on one subject, and an end of the sessions that trials share. */
export interface Trials {
  readonly trials: readonly Trial[];
  release(): Promise<void>;
}

const RAW: SessionOptions = { graphOptimizationLevel: 'disabled', guardBytes: 64 };

/** Operator by operator on fed shapes, and rewritten for declared ones. */
const WAYS: readonly (readonly [string, SessionOptions, Feeding])[] = [
  ['raw', RAW, 'open'],
  ['optimized', {}, 'declared'],
];

/** So many that they take turns: every other one goes one way. */
const ALTERNATING = new Set(['an attribute of another type', 'an attribute out of range']);

/** Where one definition serves several versions: what a later one allows, earlier ones do too. */
const LENIENT = new Set([
  'BatchNormalization 1, a required attribute left out',
  'Gemm 1, a required input left out',
  'MaxPool 1, too many outputs',
]);

/** Dims for all inputs of a node at once. */
const ODD_DIMS = [[0], [0, 3], [2, 0], [], [1], [1, 0, 3, 3], [0, 2, 5, 5], [2, 0, 2], [3, 1]];

export function trialsOf(subject: Subject): Trials {
  const opened = new Map<string, Promise<Opened>>();
  const open = (way: string, form: Subject['form'], options: SessionOptions) => {
    const session = opened.get(way + form) ?? openOn({ ...subject, form }, options);
    opened.set(way + form, session);
    return session;
  };
  const values = badValues(subject);
  return {
    trials: [
      ...wrongNodes(subject),
      ...badFeeds(subject, values, open),
      ...badConstants(subject, values),
      ...oddDims(subject, open),
    ],
    async release() {
      for (const each of opened.values()) await (await each).session.release();
    },
  };
}

/** Each mutation of the node, in a model of its own. */
function wrongNodes(subject: Subject): Trial[] {
  return Object.entries(NODE_MUTATIONS).flatMap(([kind, mutationsOf]) =>
    mutationsOf(subject).flatMap(({ label, isWrong, mutate }, i) => {
      const ways = ALTERNATING.has(kind) ? [WAYS[i % 2] as (typeof WAYS)[number]] : WAYS;
      return ways.map(([way, options, feeding]): Trial => {
        const mayPass = !isWrong || LENIENT.has(`${subject.name}, ${kind}`);
        const name = `${subject.name}, ${kind}: ${label}, ${way}`;
        return { kind, name, run: () => tryNode(subject, mutate, feeding, options, mayPass) };
      });
    }),
  );
}

async function tryNode(
  subject: Subject,
  mutate: (draft: Draft) => Draft,
  feeding: Feeding,
  options: SessionOptions,
  mayPass: boolean,
): Promise<Outcome> {
  const made = attempt(() => modelOf(subject, mutate, feeding));
  if (!made) return {};
  const outcome = await outcomeOf(() => once(made, options));
  return outcome.results && !mayPass ? { problem: 'is accepted' } : outcome;
}

/** What the builder refuses is no model. */
function attempt(make: () => Made): Made | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

async function once({ bytes, feeds }: Made, options: SessionOptions): Promise<Results> {
  const session = await InferenceSession.create(bytes, options);
  const results = await session.run(feeds);
  await session.release();
  return results;
}

/** A session that has run. */
interface Opened {
  readonly session: InferenceSession;
  readonly feeds: Record<string, HostValue>;
  readonly good: Results;
}

async function openOn(subject: Subject, options: SessionOptions): Promise<Opened> {
  const { bytes, feeds } = modelOf(subject, (draft) => draft, 'open');
  const session = await InferenceSession.create(bytes, options);
  return { session, feeds, good: await session.run(feeds) };
}

type Open = (way: string, form: Subject['form'], options: SessionOptions) => Promise<Opened>;

/** Each bad value fed to a session that has run and must run again. */
const badFeeds = (subject: Subject, values: readonly BadValue[], open: Open): Trial[] =>
  WAYS.flatMap(([way, options]) =>
    values.map(({ label, input, value }) => ({
      kind: 'a bad value fed',
      name: `${subject.name}, input ${input} fed ${label}, ${way}`,
      run: async () => tryFeeds(subject, await open(way, subject.form, options), () => ({ [inputName(input)]: value })),
    })),
  );

/** All inputs without a value, or of one, at once, of the fullest node and the smallest. */
function oddDims(subject: Subject, open: Open): Trial[] {
  const forms = hasFullest(subject.combination) ? (['fullest', 'smallest'] as const) : (['smallest'] as const);
  return WAYS.flatMap(([way, options]) =>
    forms.flatMap((form) =>
      ODD_DIMS.map((dims) => ({
        kind: 'all inputs of odd dims',
        name: `${subject.name}, all inputs of [${dims}], ${form}, ${way}`,
        run: async () => tryFeeds(subject, await open(way, form, options), (feeds) => ofDims(feeds, dims)),
      })),
    ),
  );
}

const ofDims = (feeds: Record<string, HostValue>, dims: readonly number[]): Record<string, HostValue> =>
  Object.fromEntries(
    Object.entries(feeds).map(([name, value]) => {
      if (!isTensorValue(value)) return [name, value];
      return [name, { type: value.type, dims, data: emptyData(value.type, dims) }];
    }),
  );

async function tryFeeds(
  { schema }: Subject,
  { session, feeds, good }: Opened,
  change: (feeds: Record<string, HostValue>) => Record<string, HostValue>,
): Promise<Outcome> {
  const outcome = await outcomeOf(() => session.run({ ...feeds, ...change(feeds) }));
  if (outcome.problem || outcome.results) return outcome;
  const again = await outcomeOf(() => session.run(feeds));
  const isRepeatable = findOperator(schema.domain, schema.op, schema.since)?.deterministic;
  const changed = again.results && isRepeatable && differing(again.results, good);
  if (again.results && !changed) return outcome;
  return { problem: `the next run ${again.problem ?? again.refusal?.message ?? changed}` };
}

/** Each bad value that a node may be planned by, as a constant. */
const badConstants = (subject: Subject, values: readonly BadValue[]): Trial[] =>
  values
    .filter(({ isSteering }) => isSteering)
    .map(({ label, input, value }) => ({
      kind: 'a bad constant',
      name: `${subject.name}, input ${input} constant ${label}`,
      run() {
        const mutate = (draft: Draft) => ({
          ...draft,
          inputs: draft.inputs.map((old, i) => (i === input && old ? { ...old, value } : old)),
        });
        const made = modelOf(subject, mutate, { constant: input });
        return outcomeOf(() => once(made, {}));
      },
    }));

const EXACT = { relative: 0, absolute: 0 };

function differing(results: Results, expected: Results): string | undefined {
  for (const [name, value] of Object.entries(expected)) {
    const found = difference(results[name] ?? null, value, EXACT);
    if (found) return `gives ${found}`;
  }
  return undefined;
}
