import { type Account, within } from '../account.js';
import { checkOperators } from '../analysis/check-operators.js';
import { inferGraph, type Keeps } from '../analysis/infer-graph.js';
import type { NodeView } from '../analysis/node-view.js';
import { SardonyxError } from '../base/errors.js';
import { onDemand } from '../base/on-demand.js';
import { subgraphsOf } from '../graph/captures.js';
import type { Facts } from '../graph/facts.js';
import type { Attribute, Graph, Model, Node } from '../graph/graph.js';
import { loosenSymbols } from '../graph/shared-symbols.js';
import { formatType, tensorType } from '../graph/types.js';
import { allNodes, constantsOf } from '../graph/walk.js';
import { showGraph } from '../graph/watch-graphs.js';
import { loadGroups } from '../groups/load-groups.js';
import { loadOperators } from '../groups/load-operators.js';
import { bindOpsets } from '../model/bind-opsets.js';
import { isElementwise } from '../primitives/elementwise.js';
import { operatorsWith } from '../schema/registry.js';
import { elementTypeOf } from '../tensor/element-types.js';
import { StoredTensor } from '../tensor/stored-tensor.js';
import { mergeCommonSubexpressions } from './common-subexpressions.js';
import { GraphEditor } from './editor.js';
import { elementwiseFusion } from './fuse-elementwise.js';
import { isGradient } from './gradient-node.js';
import { type ModelValues, modelValuesOf } from './model-values.js';
import type { OptimizationLevel, OptimizeOptions } from './options.js';
import type { Phase } from './phase.js';
import { refuseTooMany } from './refuse-too-many.js';
import { rewrite } from './rewrite.js';
import type { RewriteLog } from './rewrite-log.js';
import { activations } from './rules/activations.js';
import { attention } from './rules/attention.js';
import { channelsFirst } from './rules/channels-first.js';
import { decompositions } from './rules/decompositions.js';
import { epilogues } from './rules/epilogues.js';
import { groupNorm } from './rules/group-norm.js';
import { identities, neutralOperands } from './rules/identities.js';
import { layerNorm } from './rules/layer-norm.js';
import { transpositions } from './rules/transpositions.js';
import { aroundViews } from './rules/transpositions-around-views.js';

/** In order of execution. */
const PHASES: readonly Phase[] = [
  { level: 'basic', rules: () => identities },
  { level: 'extended', rules: () => [...activations, ...layerNorm, ...groupNorm, ...attention] },
  { level: 'basic', rules: () => neutralOperands },
  {
    level: 'layout',
    rules: () => [...identities, ...attention, ...decompositions(), ...transpositions(), aroundViews, ...epilogues],
  },
  { level: 'layout', rules: () => channelsFirst },
  { level: 'layout', rules: () => [elementwiseFusion(operatorsWith(isElementwise))] },
];

const LEVELS: readonly OptimizationLevel[] = ['disabled', 'basic', 'extended', 'layout', 'all'];

/** The graph that a session runs, and the rewrites that led to it. */
export interface Prepared {
  readonly graph: Graph;
  readonly rewrites: RewriteLog;
  readonly modelValues: ModelValues;
}

export interface PrepareOptions extends OptimizeOptions, Pick<RewriteLog, 'refuses'> {
  /** Selects nodes that stay although they depend only on constants; called once the graph is complete. */
  readonly keeping?: (graph: Graph) => Keeps;
}

/** Loads the model's operators, and rewrites its graph as far as the options allow. */
export async function prepare(
  model: Model,
  options: PrepareOptions,
  account: Account | null = null,
): Promise<Prepared> {
  const { graph } = model;
  await loadOperators(model);
  const { extraOutputs = [] } = options;
  if (extraOutputs.length > 0)
    (await onDemand('extra-outputs', () => import('./extra-outputs.js'))).addOutputs(graph, extraOutputs);
  bindOpsets(graph, model.opsets);
  if (model.functions.length > 0) {
    const { inlineFunctions } = await onDemand('inline-functions', () => import('./inline-functions.js'));
    within(account, () => inlineFunctions(model));
  } else within(account, () => refuseTooMany(graph.nodes));
  await checkOperators(model, loadGroups);
  const modelValues = modelValuesOf(graph);
  if (model.irVersion < 4) fixInitializers(graph);
  for (const input of graph.inputs) input.isDefault = input.constant !== undefined;
  const { freeDimensionOverrides } = options;
  if (freeDimensionOverrides)
    await (await onDemand('override-sizes', () => import('./override-sizes.js'))).overrideSizes(
      graph,
      freeDimensionOverrides,
    );
  if (graph.nodes.some(isGradient)) {
    const { differentiate } = await onDemand('differentiate', () => import('./differentiate.js'));
    within(account, () => differentiate(graph));
  }
  const level = LEVELS.indexOf(options.graphOptimizationLevel ?? 'all');
  if (level < 0)
    throw new SardonyxError(
      'INVALID_ARGUMENT',
      `graphOptimizationLevel must be one of ${LEVELS.join(', ')}, not ${options.graphOptimizationLevel}`,
    );
  const rewrites: RewriteLog = {
    applied: [],
    ...(options.explainRewrites && { refused: [] }),
    limit: options.maxRewrites ?? Number.POSITIVE_INFINITY,
    ...(options.refuses && { refuses: options.refuses }),
  };
  if (options.looseSymbols) loosenSymbols(graph);
  if (options.looseScalars) loosenScalars(graph);
  const nodes = [...allNodes(graph)];
  const quantized =
    level > 0 && nodes.some(isQuantizing)
      ? await onDemand('integer-networks', () => import('./integer-networks.js'))
      : null;
  const halves =
    level > 2 && hasHalves(graph)
      ? await (await onDemand('half-precision', () => import('./half-precision.js'))).halvesInFloats(nodes)
      : null;
  const inner =
    level > 0 && nodes.length > graph.nodes.length ? await onDemand('subgraphs', () => import('./subgraphs.js')) : null;
  showGraph(graph);
  within(account, () => {
    const kept = options.keeping?.(graph);
    const byPhases = (phases: readonly Phase[], keepsToo?: Keeps) => {
      const keeps = kept && keepsToo ? (view: NodeView) => keepsToo(view) || kept(view) : (kept ?? keepsToo);
      const by = optimizer(graph, level, rewrites, phases);
      const facts = inferGraph(graph, options.looseSymbols, keeps);
      by(graph, facts);
      inner?.rewriteSubgraphs(graph, facts, keeps, by);
    };
    quantized?.rewriteQuantized(graph, level, rewrites, (phases, keeps) =>
      byPhases(phases, (view) => keeps(view) || halves?.keeps(view) === true),
    );
    halves?.rewrite(byPhases);
    if (level > 0) byPhases([...PHASES, ...(quantized?.LAST_PHASES ?? [])]);
    account?.look();
  });
  account?.settle([...constantsOf(graph)].filter((constant) => !(constant instanceof StoredTensor)));
  return { graph, rewrites, modelValues };
}

const isQuantizing = ({ op }: Node): boolean => /uantize|NBits|Bnb4/.test(op);

const HALF = /float16/i;

/** Whether any value may have half precision: a weight, an input, or a result whose type an attribute specifies. */
const hasHalves = (graph: Graph): boolean =>
  [...constantsOf(graph)].some(({ type }) => HALF.test(type)) ||
  graph.inputs.some(({ type }) => type && HALF.test(formatType(type))) ||
  [...allNodes(graph)].some(({ attributes }) => Object.entries(attributes).some(asksForHalves));

function asksForHalves([name, attribute]: [string, Attribute]): boolean {
  if (attribute.type === 'tensor') return HALF.test(attribute.value.type);
  if (!/^to$|d(ata)?type$/.test(name)) return false;
  if (attribute.type === 'string') return HALF.test(attribute.value);
  return attribute.type === 'int' && HALF.test(elementTypeOf(attribute.value) ?? '');
}

/** Rewrites `graph`, which is `whole` or one of its subgraphs. */
const optimizer =
  (whole: Graph, level: number, log: RewriteLog, phases: readonly Phase[]) =>
  (graph: Graph, facts: Facts): void => {
    const editor = new GraphEditor(graph, facts);
    editor.dropDead();
    mergeCommonSubexpressions(editor);
    for (const phase of phases) {
      if (LEVELS.indexOf(phase.level) > level) continue;
      rewrite(editor, phase.rules(), log);
      mergeCommonSubexpressions(editor);
      refuseTooMany(graph.nodes);
      showGraph(whole);
    }
    editor.dropDead();
    showGraph(whole);
  };

/** Allows inputs that are declared as scalars to have any shape. */
function loosenScalars({ inputs }: Graph): void {
  for (const input of inputs)
    if (input.type?.kind === 'tensor' && input.type.dims?.length === 0) input.type = tensorType(input.type.element);
}

/** Removes initializers from the inputs. Before IR version 4, every initializer had to be an input too; it cannot be fed. */
export function fixInitializers(graph: Graph): void {
  graph.inputs = graph.inputs.filter((input) => !input.constant);
  for (const node of graph.nodes) subgraphsOf(node).forEach(fixInitializers);
}
