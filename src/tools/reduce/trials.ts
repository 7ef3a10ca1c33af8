import type { ModelProto } from '../../../build/onnx.js';
import { aborted } from '../../base/aborted.js';
import { nextTurn } from '../../base/turns.js';
import type { Model } from '../../model/document/model.js';
import type { Feeds } from '../../session/feeds.js';
import { checkModel, type Issue } from '../check/index.js';
import { nodesUnder } from './subject.js';

/**
 * Returns whether a smaller model still has the property to preserve, such as a failure in a runtime. Throwing counts
 * as false. `feeds` are present if `reduceModel` has feeds.
 */
export type Predicate = (model: Model, feeds: Feeds | undefined) => boolean | Promise<boolean>;

/** The outcomes of the models that `reduceModel` tried. */
export interface Outcomes {
  /** Models for which the predicate returned true. */
  readonly held: number;
  /** Models for which the predicate returned false. */
  readonly failed: number;
  /** Models for which the predicate threw. */
  readonly thrown: number;
  /** Models that violate ONNX's rules and were not tried. */
  readonly invalid: number;
}

/** The progress of `reduceModel`. */
export interface ReduceProgress {
  /** The number of models tried. */
  readonly runs: number;
  /** The number of nodes of the smallest model found, including those of subgraphs. */
  readonly nodes: number;
}

export interface Watch {
  /** Aborts the search. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each trial. */
  readonly onProgress?: ((progress: ReduceProgress) => void) | undefined;
}

/** Calls the predicate and counts the outcomes. */
export interface Trials {
  readonly outcomes: Outcomes;
  /** The last error that the predicate threw. */
  readonly error: unknown;
  holds(model: Model, feeds: Feeds | undefined): Promise<boolean>;
}

export const nodeCount = ({ graph, functions }: ModelProto): number =>
  (graph ? nodesUnder(graph).length : 0) + functions.reduce((sum, { node }) => sum + node.length, 0);

/** Prepares trials. Errors that the whole model already has do not make its parts invalid. */
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
      if (signal?.aborted) throw aborted(signal, 'the reduction');
      const outcome = await outcomeOf(model, feeds);
      if (signal?.aborted) throw aborted(signal, 'the reduction');
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
