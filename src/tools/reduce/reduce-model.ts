import type { NodeProto } from '../../../build/onnx.js';
import { SardonyxError } from '../../base/errors.js';
import { withChanges } from '../../model/document/changed.js';
import type { Model } from '../../model/document/model.js';
import type { Feeds } from '../../session/feeds.js';
import { withProto } from '../model-of.js';
import { cleanUp } from '../surgery/clean-up.js';
import { inlineFunctions } from '../surgery/inline/inline-functions.js';
import { graphOf } from '../surgery/refuse.js';
import { bypassed, detoursIn } from './bypassed.js';
import { type CutValues, closed, type Part } from './closed.js';
import { withConstantsApart } from './constants-apart.js';
import { feedsOf } from './feeds-of.js';
import { fewest, type Neighbors } from './fewest.js';
import { hoisted, holdersIn } from './hoisted.js';
import { openedFunction } from './opened-function.js';
import { requireRun, type Subject, subjectOf } from './subject.js';
import { nodeCount, type Outcomes, type Predicate, type Trials, trialsOf, type Watch } from './trials.js';
import { withUniqueNames } from './unique-names.js';
import { neighborsIn, removableIn, withoutNodes, withRequired } from './without-nodes.js';

/** Options of `reduceModel`. */
export interface ReduceOptions extends Watch {
  /**
   * Feeds for which the model has the property. The predicate receives the values that each smaller model's inputs have
   * in this run; this needs a run of the whole model.
   */
  readonly feeds?: Feeds | undefined;
  /** The replacement for values whose nodes were removed: inputs (default), or constants, which need `feeds`. */
  readonly cutValues?: CutValues | undefined;
}

/** The result of `reduceModel`. */
export interface Reduced {
  /** The reduced model. */
  readonly model: Model;
  /** The feeds of the reduced model, if `reduceModel` had feeds. */
  readonly feeds: Feeds | undefined;
  /** The number of remaining nodes, including those of subgraphs and functions. */
  readonly nodes: number;
  /** The outcomes of the models that were tried. */
  readonly outcomes: Outcomes;
  /** The last error that the predicate threw. */
  readonly error: unknown;
}

/** A model for which the predicate holds. */
interface Found {
  readonly model: Model;
  readonly feeds: Feeds | undefined;
}

interface Search {
  readonly trials: Trials;
  readonly cutValues: CutValues;
}

type Step = (found: Found, search: Search) => Promise<Found>;

/**
 * Finds a model with the fewest nodes for which a predicate still holds, such as "this runtime fails". Removed values
 * become inputs, functions are inlined, nodes move out of subgraphs, and nodes in between are bypassed, as long as the
 * predicate holds. If the original model is valid, so are all models that are tried.
 * @throws SardonyxError INVALID_ARGUMENT if the predicate does not hold for the original model, ABORTED
 */
export async function reduceModel(model: Model, predicate: Predicate, options: ReduceOptions = {}): Promise<Reduced> {
  const { feeds, cutValues = 'inputs' } = options;
  if (cutValues === 'constants' && !feeds)
    throw new SardonyxError(
      'INVALID_ARGUMENT',
      "cutValues: 'constants' needs feeds, from which the constants are computed",
    );
  const trials = await trialsOf(model, predicate, options);
  if (!(await trials.holds(model, feeds))) throw holdsNot(trials);
  if (feeds) await requireRun(model, feeds);
  const steps = [
    withoutFunctions,
    withOwnNames,
    withFewerNodes,
    withoutSubgraphs,
    withSmallerFunctions,
    withDetours,
    withFewerOutputs,
    tidied,
  ];
  let found: Found = { model, feeds };
  for (const step of steps) found = await step(found, { trials, cutValues });
  return { ...found, nodes: nodeCount(found.model.proto), outcomes: trials.outcomes, error: trials.error };
}

const holdsNot = ({ error, outcomes }: Trials): SardonyxError =>
  outcomes.thrown > 0
    ? new SardonyxError(
        'INVALID_ARGUMENT',
        `the predicate throws for the original model: ${error}`,
        {},
        { cause: error },
      )
    : new SardonyxError('INVALID_ARGUMENT', 'the predicate returns false for the original model');

/** Inlines all functions except those whose calls the predicate needs. */
const withoutFunctions: Step = async (found, { trials }) => {
  let best = found;
  await fewest(found.model.proto.functions, async (kept) => {
    const ids = kept.map(({ domain, name }) => [domain, name] as const);
    const model = await inlineFunctions(found.model, { ids, exclude: true });
    const holds = await trials.holds(model, found.feeds);
    if (holds) best = { ...found, model };
    return holds;
  });
  return best;
};

/** Replaces Constant nodes by initializers, and makes value names unique. */
const withOwnNames: Step = async (found, { trials }) => {
  let best = found;
  for (const change of [withConstantsApart, withUniqueNames]) {
    const model = change(best.model);
    if (model !== best.model && (await trials.holds(model, found.feeds))) best = { ...found, model };
  }
  return best;
};

const withFewerNodes: Step = async (found, search) => {
  const subject = await subjectOf(found.model, found.feeds);
  const graph = graphOf(found.model);
  const required = withRequired(graph, subject.infoOf);
  const nodes = removableIn(graph);
  const partWith = (kept: readonly NodeProto[]) => {
    const staying = required(kept);
    const gone = new Set(nodes.filter((node) => !staying.has(node)));
    return { graph: withoutNodes(graph, gone, subject.infoOf) };
  };
  return shrunk(found, search, subject, nodes, partWith, neighborsIn(graph));
};

/** Reduces a part to as few items as the predicate needs. */
async function shrunk<T>(
  found: Found,
  search: Search,
  subject: Subject,
  items: readonly T[],
  partWith: (kept: readonly T[]) => Part,
  neighbors?: Neighbors<T>,
): Promise<Found> {
  let best = found;
  const isEnough = async (kept: readonly T[]) => {
    const next = await tried(partWith(kept), subject, search);
    if (next) best = next;
    return next !== undefined;
  };
  await fewest(items, isEnough, neighbors);
  return best;
}

async function tried(part: Part, subject: Subject, { trials, cutValues }: Search): Promise<Found | undefined> {
  const model = closed(subject, part, cutValues);
  const feeds = model && subject.feeds && feedsOf(model, subject);
  return model && (await trials.holds(model, feeds)) ? { model, feeds } : undefined;
}

/** Replaces nodes with subgraphs by the contents of the subgraphs. */
const withoutSubgraphs: Step = async (found, search) => {
  const graph = graphOf(found.model);
  const subject = await subjectOf(found.model, found.feeds);
  for (const [holder, inner] of holdersIn(graph)) {
    const next = await tried({ graph: hoisted(graph, holder, inner) }, subject, search);
    if (next) return withoutSubgraphs(await withFewerNodes(next, search), search);
  }
  return found;
};

/** Removes nodes from functions that are still called. */
const withSmallerFunctions: Step = async (found, search) => {
  let best = found;
  for (const { domain, name, overload } of found.model.proto.functions) {
    const subject = await subjectOf(best.model, best.feeds);
    const { functions } = best.model.proto;
    const definition = functions.find((f) => f.name === name && f.domain === domain && f.overload === overload);
    const opened = definition && (await openedFunction(definition, subject));
    if (opened) best = await shrunk(best, search, opened.subject, definition.node, opened.partWith);
  }
  return best;
};

/** Bypasses nodes whose input can replace their output. */
const withDetours: Step = async (found, search) => {
  const graph = graphOf(found.model);
  const subject = await subjectOf(found.model, found.feeds);
  const detours = detoursIn(graph, subject.infoOf);
  return shrunk(found, search, subject, [...detours.keys()], (kept) => ({
    graph: bypassed(graph, new Map([...detours].filter(([node]) => !kept.includes(node)))),
  }));
};

const withFewerOutputs: Step = async (found, { trials }) => {
  const graph = graphOf(found.model);
  if (graph.output.length < 2) return found;
  let best = found;
  await fewest(graph.output, async (output) => {
    if (output.length === 0) return false;
    const proto = withChanges(found.model.proto, { graph: withChanges(graph, { output: [...output] }) });
    const model = withProto(found.model, proto);
    const holds = await trials.holds(model, found.feeds);
    if (holds) best = { ...found, model };
    return holds;
  });
  return best;
};

/** Removes unused opset imports and the like. */
const tidied: Step = async (found, { trials }) => {
  const model = cleanUp(found.model);
  return model !== found.model && (await trials.holds(model, found.feeds)) ? { ...found, model } : found;
};
