import type { GraphProto } from '../../../build/onnx.js';
import { aborted } from '../../base/aborted.js';
import { SardonyxError } from '../../base/errors.js';
import { subgraphsOf } from '../../graph/captures.js';
import type { Graph } from '../../graph/graph.js';
import { idsOf } from '../../graph/origins.js';
import { changedList, withChanges } from '../../model/document/changed.js';
import type { Model } from '../../model/document/model.js';
import type { Rewrite } from '../../optimize/rewrite-log.js';
import type { Feeds } from '../../session/feeds.js';
import type { InferenceSession } from '../../session/inference-session.js';
import type { SessionOptions } from '../../session/options.js';
import { comparedIn, type Finding, findingsOf, type Values } from '../compare/findings.js';
import { feedsFor, valuesOf } from '../compare/side.js';
import { fromExternalData } from '../external-data.js';
import type { Sizes } from '../generated-feeds.js';
import { withProto } from '../model-of.js';
import { saveModel } from '../save-model.js';
import { withSubgraphs } from '../surgery/bodies.js';
import { graphOf } from '../surgery/refuse.js';

export interface BisectOptions {
  /** Whether a session on the model does what it should not; else it is asked whether its results differ from those of the model as it is. */
  readonly isWrong?: ((session: InferenceSession) => boolean | Promise<boolean>) | undefined;
  /** The largest relative L2 error of a value of floats; 1e-4 if nothing else is said. */
  readonly tolerance?: number | undefined;
  /** How sessions are made. */
  readonly session?: SessionOptions | undefined;
  /** Sizes for open dimensions of generated feeds, by their symbols; 1 if nothing is said. */
  readonly sizes?: Sizes | undefined;
  readonly seed?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?:
    | ((progress: { readonly runs: number; readonly between: readonly [number, number] }) => void)
    | undefined;
}

/** What it is that makes a session wrong. */
export type Cause =
  /** Nothing: with all rewrites, it is right. */
  | { readonly cause: 'none' }
  /** This rewrite: with those before it alone, all is right. */
  | {
      readonly cause: 'rewrite';
      readonly rewrite: Rewrite;
      /** The nodes of the model that its root has come of, by their places: `12`, in a subgraph `12/body/3`. */
      readonly origins: readonly string[];
      readonly index: number;
      readonly first: Finding | undefined;
    }
  /** No rewrite: it is wrong without any, by what the optimizer folds or merges, or kernels. */
  | { readonly cause: 'other'; readonly first: Finding | undefined };

export type Bisection = Cause & {
  /** How many rewrites the optimizer makes. */
  readonly rewrites: number;
  /** Sessions that were made. */
  readonly runs: number;
};

/** What a session with so many rewrites does. */
interface Probe {
  readonly isWrong: boolean;
  readonly applied: readonly Rewrite[];
  readonly origins: ReadonlyMap<string, readonly string[]>;
  readonly first: Finding | undefined;
}

/**
 * Finds the rewrite of the optimizer with which a model's results begin to be wrong: of n, in some log2 n sessions.
 * @param feeds values by input name; random ones if left out
 */
export async function bisectRewrites(model: Model, feeds?: Feeds, options: BisectOptions = {}): Promise<Bisection> {
  const bytes = await saveModel(withNamedNodes(await fromExternalData(model)));
  const judge = options.isWrong ? judgedBy(options.isWrong) : await comparing(model, feeds, options);
  let runs = 0;
  const probe = async (low: number, high: number, maxRewrites = high): Promise<Probe> => {
    if (options.signal?.aborted) throw aborted(options.signal, 'bisecting');
    options.onProgress?.({ runs, between: [low, high] });
    runs++;
    return probed(bytes, judge, { ...options.session, maxRewrites });
  };
  const all = await probe(0, Number.POSITIVE_INFINITY);
  const rewrites = all.applied.length;
  const found = all.isWrong ? await firstWrong(all, probe) : ({ cause: 'none' } as const);
  return { ...found, rewrites, runs };
}

type Ask = (low: number, high: number, maxRewrites?: number) => Promise<Probe>;

/** The least number of rewrites that are wrong, where all are. */
async function firstWrong(all: Probe, probe: Ask): Promise<Cause> {
  let [low, high, last] = [0, all.applied.length, all];
  let right = await probe(low, high, 0);
  if (right.isWrong) return { cause: 'other', first: right.first };
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const found = await probe(low, high, middle);
    if (found.isWrong) [high, last] = [middle, found];
    else [low, right] = [middle, found];
  }
  const rewrite = last.applied[high - 1];
  if (rewrite) {
    const origins = right.origins.get(rewrite.node) ?? [];
    return { cause: 'rewrite', rewrite, origins, index: high, first: last.first };
  }
  throw new SardonyxError('INTERNAL', 'the optimizer rewrites differently each time');
}

async function probed(bytes: Uint8Array, judge: Judge, options: SessionOptions): Promise<Probe> {
  const { InferenceSession } = await import('../../session/inference-session.js');
  const session = await InferenceSession.create(bytes, options);
  try {
    const { rewrites, model } = session;
    return { ...(await judge(session)), applied: [...rewrites.applied], origins: originsIn(model.graph) };
  } finally {
    await session.release();
  }
}

/** Where the nodes of a graph and its subgraphs have come from, by their names. */
function originsIn(graph: Graph, found = new Map<string, readonly string[]>()): Map<string, readonly string[]> {
  for (const node of graph.nodes) {
    found.set(node.name, idsOf(node));
    for (const inner of subgraphsOf(node)) originsIn(inner, found);
  }
  return found;
}

/** Nodes that have no name are called as what they make is. */
function withNamedNodes(model: Model): Model {
  const named = (graph: GraphProto): GraphProto =>
    withChanges(graph, {
      node: changedList(graph.node, (node) =>
        withSubgraphs(node.name ? node : withChanges(node, { name: node.output.find(Boolean) ?? '' }), named),
      ),
    });
  return withProto(model, withChanges(model.proto, { graph: named(graphOf(model)) }));
}

type Judge = (session: InferenceSession) => Promise<Omit<Probe, 'applied' | 'origins'>>;

const judgedBy =
  (isWrong: NonNullable<BisectOptions['isWrong']>): Judge =>
  async (session) => ({ isWrong: await isWrong(session), first: undefined });

/** Compares with the model run operator by operator. */
async function comparing(model: Model, given: Feeds | undefined, options: BisectOptions): Promise<Judge> {
  const { tolerance = 1e-4, sizes, seed } = options;
  const feeds = given ?? (await feedsFor(model, sizes, seed));
  const expected = await valuesOf(model, feeds, []);
  const compared = comparedIn([], Object.keys(expected), []);
  return async (session) => {
    const actual = (await session.run(feeds)) as Values;
    const first = findingsOf(compared, actual, expected, () => tolerance).find(({ passed }) => !passed);
    return { isWrong: first !== undefined, first };
  };
}
