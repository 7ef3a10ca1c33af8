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

/** Options of `bisectRewrites`. */
export interface BisectOptions {
  /**
   * Returns whether a session shows the fault. By default, a session is wrong if its outputs differ from those of the
   * unoptimized model.
   */
  readonly isWrong?: ((session: InferenceSession) => boolean | Promise<boolean>) | undefined;
  /** The largest accepted relative L2 error of a floating-point output. Default: 1e-4. */
  readonly tolerance?: number | undefined;
  /** Options for the sessions. */
  readonly session?: SessionOptions | undefined;
  /** Sizes of dynamic dimensions in generated feeds, by name. Default: 1. */
  readonly sizes?: Sizes | undefined;
  /** The seed of the random values in generated feeds. */
  readonly seed?: number | undefined;
  /** Aborts the search. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each session. */
  readonly onProgress?:
    | ((progress: { readonly runs: number; readonly between: readonly [number, number] }) => void)
    | undefined;
}

/**
 * The reason why a session returns wrong results: no fault (`none`), a rewrite (`rewrite`), or something other than the
 * optimizer (`other`).
 */
export type Cause =
  /** The results are correct with all rewrites. */
  | {
      /** The kind of cause. */
      readonly cause: 'none';
    }
  /** The results are wrong with this rewrite, and correct with only those before it. */
  | {
      /** The kind of cause. */
      readonly cause: 'rewrite';
      /** The rewrite that introduces the fault. */
      readonly rewrite: Rewrite;
      /**
       * The nodes of the original model that the rewrite replaced, as positions in the graph: `12`, or `12/body/3` in a
       * subgraph.
       */
      readonly origins: readonly string[];
      /** The number of this rewrite, counted from 1 in the order of application. */
      readonly index: number;
      /** The first wrong output, if outputs were compared. */
      readonly first: Finding | undefined;
    }
  /** The results are wrong without any rewrite, because of folded or merged nodes, or kernels. */
  | {
      /** The kind of cause. */
      readonly cause: 'other';
      /** The first wrong output, if outputs were compared. */
      readonly first: Finding | undefined;
    };

/** The result of `bisectRewrites`: the cause of the wrong results, and the effort of the search. */
export type Bisection = Cause & {
  /** The number of rewrites that the optimizer makes. */
  readonly rewrites: number;
  /** The number of sessions that the search created. */
  readonly runs: number;
};

/** The result of a session that applies a given number of rewrites. */
interface Probe {
  readonly isWrong: boolean;
  readonly applied: readonly Rewrite[];
  readonly origins: ReadonlyMap<string, readonly string[]>;
  readonly first: Finding | undefined;
}

/**
 * Finds the graph optimization that makes a model's results wrong. For n rewrites, it runs about log2 n sessions.
 * @param feeds values by input name; generated if omitted
 * @throws SardonyxError ABORTED, and the errors of loading and running the model
 */
export async function bisectRewrites(model: Model, feeds?: Feeds, options: BisectOptions = {}): Promise<Bisection> {
  const bytes = await saveModel(withNamedNodes(await fromExternalData(model)));
  const judge = options.isWrong ? judgedBy(options.isWrong) : await comparing(model, feeds, options);
  let runs = 0;
  const probe = async (low: number, high: number, maxRewrites = high): Promise<Probe> => {
    if (options.signal?.aborted) throw aborted(options.signal, 'the bisection');
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

/**
 * Finds the first rewrite that makes the results wrong, by bisection. `all`: the session with all rewrites, which is
 * wrong.
 */
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
  throw new SardonyxError('INTERNAL', 'the optimizer made different rewrites in each session');
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

/** The original positions of all nodes of a graph and its subgraphs, by node name. */
function originsIn(graph: Graph, found = new Map<string, readonly string[]>()): Map<string, readonly string[]> {
  for (const node of graph.nodes) {
    found.set(node.name, idsOf(node));
    for (const inner of subgraphsOf(node)) originsIn(inner, found);
  }
  return found;
}

/** Names unnamed nodes after their first output. */
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

/** Compares the outputs of a session with those of the unoptimized model. */
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
