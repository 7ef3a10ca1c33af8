import { InferenceSession, type Results, type SessionOptions } from '../../../src/index.js';
import { findOperator } from '../../../src/schema/registry.js';
import { difference } from '../../conformance/compare.js';
import { badValues, NODE_MUTATIONS } from './mutations.js';
import { type Feeding, inputName, type Made, modelOf, type Subject } from './subject.js';
import { outcomeOf } from './verdict.js';
import type { Watchdog } from './watchdog.js';

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

/** Everything tried on one subject; `report` is told how often, and what went wrong. */
export interface Trial {
  readonly watchdog: Watchdog;
  tried(kind: string, refused: boolean, label: string): void;
  problem(text: string): void;
}

/** Each mutation of the node; every one of them in a model of its own. */
export async function tryNodes(subject: Subject, trial: Trial): Promise<void> {
  for (const [kind, mutationsOf] of Object.entries(NODE_MUTATIONS)) {
    for (const [i, { label, isWrong, mutate }] of mutationsOf(subject).entries()) {
      const ways = ALTERNATING.has(kind) ? [WAYS[i % 2] as (typeof WAYS)[number]] : WAYS;
      for (const [way, options, feeding] of ways) {
        const text = `${subject.name}, ${kind}: ${label}, ${way}`;
        trial.watchdog.now(text);
        const made = attempt(() => modelOf(subject, mutate, feeding));
        if (!made) continue;
        const { refusal, problem } = await outcomeOf(() => once(made, options));
        trial.tried(kind, refusal !== undefined, text);
        if (problem) trial.problem(`${text}: ${problem}`);
        else if (isWrong && !refusal && !LENIENT.has(`${subject.name}, ${kind}`)) trial.problem(`${text}: is accepted`);
      }
    }
  }
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

/** Each bad value fed to a session that has run and must run again, and as a constant. */
export async function tryValues(subject: Subject, trial: Trial): Promise<void> {
  const values = badValues(subject);
  const { domain, op, since } = subject.schema;
  const isRepeatable = findOperator(domain, op, since)?.deterministic;
  for (const [way, options] of [
    ['raw', RAW],
    ['optimized', {}],
  ] as const) {
    const { bytes, feeds } = modelOf(subject, (draft) => draft, 'open');
    const session = await InferenceSession.create(bytes, options);
    const good = await session.run(feeds);
    for (const { label, input, value } of values) {
      const text = `${subject.name}, input ${input} fed ${label}, ${way}`;
      trial.watchdog.now(text);
      const { refusal, problem } = await outcomeOf(() => session.run({ ...feeds, [inputName(input)]: value }));
      trial.tried('a bad value fed', refusal !== undefined, text);
      if (problem) trial.problem(`${text}: ${problem}`);
      if (!refusal && !problem) continue;
      const again = await outcomeOf(() => session.run(feeds));
      const changed = again.results && isRepeatable && differing(again.results, good);
      if (!again.results || changed)
        trial.problem(`${text}: the next run ${again.problem ?? again.refusal?.message ?? changed}`);
    }
    await session.release();
  }
  for (const { label, input, value, isSteering } of values) {
    if (!isSteering) continue;
    const text = `${subject.name}, input ${input} constant ${label}`;
    trial.watchdog.now(text);
    const mutate = (draft: typeof subject.draft) => ({
      ...draft,
      inputs: draft.inputs.map((old, i) => (i === input && old ? { ...old, value } : old)),
    });
    const made = modelOf(subject, mutate, { constant: input });
    const { refusal, problem } = await outcomeOf(() => once(made, {}));
    trial.tried('a bad constant', refusal !== undefined, text);
    if (problem) trial.problem(`${text}: ${problem}`);
  }
}

const EXACT = { relative: 0, absolute: 0 };

function differing(results: Results, expected: Results): string | undefined {
  for (const [name, value] of Object.entries(expected)) {
    const found = difference(results[name] ?? null, value, EXACT);
    if (found) return `gives ${found}`;
  }
  return undefined;
}
