import { checkOperators } from '../../analysis/check-operators.js';
import { inferGraph } from '../../analysis/infer-graph.js';
import type { Facts } from '../../graph/facts.js';
import type { Graph, Model } from '../../graph/graph.js';
import { loadOperators } from '../../groups/load-operators.js';
import { bindOpsets } from '../../model/bind-opsets.js';
import { mergeCommonSubexpressions } from '../../optimize/common-subexpressions.js';
import { GraphEditor } from '../../optimize/editor.js';
import { fileGrowth, shareConstants } from '../../optimize/file-growth.js';
import { inlineFunctions } from '../../optimize/inline-functions.js';
import { overrideSizes } from '../../optimize/override-sizes.js';
import { fixInitializers } from '../../optimize/prepare.js';
import { rewrite } from '../../optimize/rewrite.js';
import type { Rewrite, RewriteLog } from '../../optimize/rewrite-log.js';
import type { Rule } from '../../optimize/rule.js';
import { foreignTo } from '../../optimize/standard-operators.js';
import { rewriteSubgraphs } from '../../optimize/subgraphs.js';
import { CONSTANTS, TWINS } from './pass-names.js';
import { phasesIn } from './passes.js';

export interface Passes {
  readonly skip: ReadonlySet<string>;
  readonly sizes: Readonly<Record<string, number>>;
}

/** Simplifies the graph of a model in the runtime's form, in place and within its opsets. Functions are inlined. */
export async function simplifyGraph(model: Model, { skip, sizes }: Passes): Promise<readonly Rewrite[]> {
  const { graph, opsets } = model;
  await loadOperators(model);
  bindOpsets(graph, opsets);
  inlineFunctions(model);
  await checkOperators(model);
  if (model.irVersion < 4) fixInitializers(graph);
  for (const input of graph.inputs) input.isDefault = input.constant !== undefined;
  await overrideSizes(graph, sizes);
  const log: RewriteLog = { applied: [], limit: Number.POSITIVE_INFINITY, refuses: foreignTo(opsets) };
  const growth = fileGrowth(graph);
  const keeps = skip.has(CONSTANTS) ? () => true : growth.keeps;
  const phases = phasesIn(graph, growth).map((rules) => rules.filter(({ name }) => !skip.has(name)));
  const simplify = (part: Graph, facts: Facts) => simplifyPart(part, facts, { phases, merges: !skip.has(TWINS) }, log);
  const facts = inferGraph(graph, false, keeps);
  simplify(graph, facts);
  rewriteSubgraphs(graph, facts, keeps, simplify);
  shareConstants(graph);
  return log.applied;
}

interface Chosen {
  readonly phases: readonly (readonly Rule[])[];
  readonly merges: boolean;
}

/** Simplifies a graph or subgraph. */
function simplifyPart(graph: Graph, facts: Facts, { phases, merges }: Chosen, log: RewriteLog): void {
  const editor = new GraphEditor(graph, facts);
  const merge = () => merges && mergeCommonSubexpressions(editor);
  editor.dropDead();
  merge();
  for (const rules of phases) {
    rewrite(editor, rules, log);
    merge();
  }
  editor.dropDead();
}
