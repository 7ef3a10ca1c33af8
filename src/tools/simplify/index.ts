import { advised } from '../../advice/advised.js';
import { SardonyxError } from '../../base/errors.js';
import { shown } from '../../base/shown.js';
import type { Model as RuntimeModel } from '../../graph/graph.js';
import { allNodes } from '../../graph/walk.js';
import type { Model } from '../../model/document/model.js';
import { type DecodedModel, modelOf } from '../../model/read-model.js';
import { withProto } from '../model-of.js';
import { runtimeView } from '../runtime-view.js';
import { originsOf } from './origins.js';
import { PASSES } from './pass-names.js';
import { sameResults } from './same-results.js';
import { simplifyGraph } from './simplify-graph.js';
import { writeDocument } from './write-document.js';

export interface SimplifyOptions {
  /** Passes to leave out, by their names: `simplifyPasses` has all. */
  readonly skip?: readonly string[] | undefined;
  /** Sizes for open dimensions, by their symbols. */
  readonly sizes?: Readonly<Record<string, number>> | undefined;
  /** How many times the result is run beside the model, on other random inputs each time; 0 if nothing is said. */
  readonly verify?: number | undefined;
}

export interface Simplified {
  readonly model: Model;
  /** How often each pass that rewrites nodes has done so. */
  readonly rewrites: Readonly<Record<string, number>>;
}

/** The names of all passes, in their order. */
export const simplifyPasses = PASSES;

/**
 * The model with fewer nodes, in standard operators of its own opsets, so that every runtime takes it; what was not concerned stays as
 * it is, words and unknown fields too.
 * @throws SardonyxError UNSUPPORTED_OPERATOR where the model has operators that are not known, and INTERNAL where the result, run beside
 *   the model (`verify`), gives others
 */
export async function simplify(model: Model, options: SimplifyOptions = {}): Promise<Simplified> {
  try {
    return await simplified(model, options);
  } catch (error) {
    throw await advised(error);
  }
}

async function simplified(model: Model, options: SimplifyOptions): Promise<Simplified> {
  const { graph } = model.proto;
  if (!graph) return { model, rewrites: {} };
  const { skip = [], sizes = {}, verify = 0 } = options;
  for (const name of skip)
    if (!PASSES.includes(name))
      throw new SardonyxError(
        'INVALID_ARGUMENT',
        `there is no pass ${shown(name)}; the passes are ${PASSES.join('; ')}`,
      );
  const { proto, externalData } = await runtimeView(model, true);
  const runtime = modelOf(proto as DecodedModel, externalData);
  const origins = originsOf(runtime.graph, graph);
  const rewrites = await simplifyGraph(runtime, { skip: new Set(skip), sizes });
  const result = withProto(model, writeDocument(withoutFunctions(runtime), model.proto, origins));
  if (verify > 0) await sameResults(model, result, sizes, verify);
  return { model: result, rewrites: counted(rewrites.map(({ rule }) => rule)) };
}

function withoutFunctions(model: RuntimeModel): RuntimeModel {
  if (model.functions.length === 0) return model;
  const used = new Set(['', ...[...allNodes(model.graph)].map(({ domain }) => domain)]);
  return { ...model, functions: [], opsets: new Map([...model.opsets].filter(([domain]) => used.has(domain))) };
}

function counted(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
