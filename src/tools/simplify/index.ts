import { advised } from '../../advice/advised.js';
import { quoted } from '../../advice/near.js';
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

/** Options of `simplify`. */
export interface SimplifyOptions {
  /** The passes to skip; `simplifyPasses` lists their names. */
  readonly skip?: readonly string[] | undefined;
  /** Sizes for dynamic dimensions, by name. */
  readonly sizes?: Readonly<Record<string, number>> | undefined;
  /**
   * How many times to run the original and the simplified model on random inputs and compare the results. Default: 0.
   */
  readonly verify?: number | undefined;
}

/** The result of `simplify`. */
export interface Simplified {
  /** The simplified model. */
  readonly model: Model;
  /** The number of rewrites, by pass. */
  readonly rewrites: Readonly<Record<string, number>>;
}

/** The names of all passes of `simplify`, in the order of application. */
export const simplifyPasses = PASSES;

/**
 * Reduces the number of nodes of a model. The result only uses standard operators of the model's own opsets, so any
 * runtime can run it. Unchanged parts keep their names, documentation and unknown fields.
 * @throws SardonyxError UNSUPPORTED_OPERATOR for unknown operators, INVALID_ARGUMENT for an unknown pass, INTERNAL if
 * `verify` finds different results
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
      throw new SardonyxError('INVALID_ARGUMENT', `unknown pass ${shown(name)}; the passes are ${quoted(PASSES)}`);
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
