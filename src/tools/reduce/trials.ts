import type { ModelProto } from '../../../build/onnx.js';
import { aborted } from '../../base/aborted.js';
import { nextTurn } from '../../base/turns.js';
import type { Model } from '../../model/document/model.js';
import type { Feeds } from '../../session/feeds.js';
import { checkModel, type Issue } from '../check/index.js';
import { nodesUnder } from './subject.js';

/**
 * What is to stay as it is while a model becomes smaller, such as that a runtime fails on it. To throw means no; feeds are there
 * where some were given for the whole.
 */
export type Predicate = (model: Model, feeds: Feeds | undefined) => boolean | Promise<boolean>;

/** What has come of models that were tried. */
export interface Outcomes {
  readonly held: number;
  readonly failed: number;
  /** The predicate has thrown. */
  readonly thrown: number;
  /** Not valid by ONNX's rules, and so not tried. */
  readonly invalid: number;
}

export interface ReduceProgress {
  /** Models tried so far. */
  readonly runs: number;
  /** Nodes of the smallest model so far, those in subgraphs included. */
  readonly nodes: number;
}

export interface Watch {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ReduceProgress) => void) | undefined;
}

/** Asks the predicate, and counts. */
export interface Trials {
  readonly outcomes: Outcomes;
  /** What the predicate has thrown last. */
  readonly error: unknown;
  holds(model: Model, feeds: Feeds | undefined): Promise<boolean>;
}

export const nodeCount = ({ graph, functions }: ModelProto): number =>
  (graph ? nodesUnder(graph).length : 0) + functions.reduce((sum, { node }) => sum + node.length, 0);

/** @param known what is wrong with the whole model already */
export async function trialsOf(whole: Model, predicate: Predicate, { signal, onProgress }: Watch): Promise<Trials> {
  const outcomes = { held: 0, failed: 0, thrown: 0, invalid: 0 };
  const known = new Set((await errorsIn(whole)).map(keyOf));
  let error: unknown;
  let nodes = nodeCount(whole.proto);
  const outcomeOf = async (model: Model, feeds: Feeds | undefined): Promise<keyof Outcomes> => {
    if ((await errorsIn(model)).some((issue) => !known.has(keyOf(issue)))) return 'invalid';
    try {
      return (await predicate(model, feeds)) ? 'held' : 'failed';
    } catch (thrown) {
      error = thrown;
      return 'thrown';
    }
  };
  return {
    outcomes,
    get error() {
      return error;
    },
    async holds(model, feeds) {
      if (signal?.aborted) throw aborted(signal, 'reducing');
      const outcome = await outcomeOf(model, feeds);
      if (signal?.aborted) throw aborted(signal, 'reducing');
      outcomes[outcome]++;
      if (outcome === 'held') nodes = Math.min(nodes, nodeCount(model.proto));
      onProgress?.({ runs: outcomes.held + outcomes.failed + outcomes.thrown, nodes });
      await nextTurn();
      return outcome === 'held';
    },
  };
}

const errorsIn = async ({ proto }: Model): Promise<Issue[]> =>
  (await checkModel(proto)).filter(({ severity }) => severity === 'error');

const keyOf = ({ code, message }: Issue): string => `${code} ${message}`;
