import type { MemoryPlan } from '../../backends/memory-plan.js';
import type { PlanExplanation } from '../../backends/plan-explanation.js';
import { SardonyxError } from '../../base/errors.js';
import type { Model } from '../../graph/graph.js';
import { loadOperators } from '../../groups/load-operators.js';
import { prepare } from '../../optimize/prepare.js';
import type { Rewrite } from '../../optimize/rewrite-log.js';
import { openModel } from '../../session/open-model.js';
import type { SessionOptions } from '../../session/options.js';
import type { Placement } from '../../session/providers.js';
import type { NodeFacts } from '../../tools/inspect/inspect-model.js';
import { type ModelSummary, summarize } from '../../tools/inspect/summarize.js';
import { type Work, workOf } from '../../tools/inspect/work.js';
import { type InputChoices, makeInputs, runOn, sizesOf } from '../feeds.js';
import { inputChoices, withInputOptions } from '../input-options.js';
import type { Io } from '../io.js';
import { modelSource } from '../model-source.js';
import { MODEL, newCommand } from '../new-command.js';
import { formatBytes, formatCount, plural } from '../quantities.js';
import { sessionOptions, withSessionOptions } from '../session-options.js';
import { table } from '../table.js';
import { withSession } from '../with-session.js';

const EXAMPLES = [
  'inspect mobilenet_v2.onnx',
  'inspect bert.onnx --dim batch=1 --dim sequence=128',
  'inspect model.onnx --nodes --dim batch=1',
  'inspect model.onnx --rewrites',
  'inspect bert.onnx --guards --dim batch=1 --dim sequence=128',
  "inspect model.onnx --json | jq '.operators[] | select(.supported | not)'",
];

const NOTES = `
Memory is that of one run on inputs that the options name or that are generated, as in "sardonyx run".`;

const command = () =>
  withSessionOptions(
    withInputOptions(
      newCommand('inspect', "Print a model's inputs, outputs, operators, weights and memory.", EXAMPLES)
        .argument('<model>', MODEL)
        .addHelpText('after', NOTES),
    ),
  )
    .option('--rewrites', 'print the rewrites of the optimizer, numbered as for --max-rewrites')
    .option('--nodes', 'print multiply-adds, parameters and memory traffic of each node')
    .option('--guards', 'print the conditions under which other input sizes take no new plan')
    .option('--json', 'print JSON');

type Options = ReturnType<ReturnType<typeof command>['opts']>;

export const inspectCommand = (io: Io) =>
  command().action(async (argument: string, options: Options) => {
    const source = await modelSource(io, argument);
    io.progress(`loading ${argument}`);
    const model = await openModel(source, {});
    const sizes = sizesOf(model.graph, options.dim ?? []);
    await loadOperators(model);
    const summary = summarize(model);
    const work = workOf(model, sizes);
    const settings = sessionOptions(options);
    const run = await attempt(() => runOf(io, source, settings, inputChoices(options)));
    const memory = 'failure' in run ? run : run.memory;
    const byNode = options.nodes ? await nodesOf(source, sizes) : undefined;
    const rewrites = options.rewrites
      ? (await prepare(await openModel(source, {}), settings)).rewrites.applied
      : undefined;
    if (options.json) {
      io.printJson({
        ...summary,
        multiplyAdds: work.refusal ? null : work.total,
        memory: 'peak' in memory ? memory : null,
        nodesBy: nodesByProvider(run),
        byNode,
        rewrites,
        ...(options.guards && { plan: 'failure' in run ? null : run.plan }),
      });
    } else {
      printSummary(io, summary, model);
      io.print(
        `\n${table(['', ''], [...weightRows(summary), workRow(work), ...memoryRows(memory), ...placementRows(run)])}`,
      );
      if (byNode) printNodes(io, byNode);
      if (rewrites) printRewrites(io, rewrites);
      if (options.guards) printGuards(io, 'failure' in run ? null : run.plan);
    }
  });

async function nodesOf(source: string | Uint8Array, sizes: ReadonlyMap<string, number>): Promise<readonly NodeFacts[]> {
  const { inspectModel, loadModel } = await import('../../tools/on-demand.js');
  return (await inspectModel(await loadModel(source), { dims: Object.fromEntries(sizes) })).byNode;
}

type MemoryFigures = Pick<MemoryPlan, 'peak' | 'lowerBound' | 'linearMemory'>;

/** The reason why a figure is missing. */
interface Failure {
  readonly failure: string;
}

function failureOf(error: unknown): Failure {
  if (error instanceof SardonyxError) return { failure: error.message };
  throw error;
}

const attempt = <T>(find: () => Promise<T>): Promise<T | Failure> => find().catch(failureOf);

/** Facts that one run reveals. */
interface Run {
  readonly memory: MemoryFigures | Failure;
  readonly plan: PlanExplanation | null;
  readonly placement: readonly Placement[];
}

const runOf = (io: Io, source: string | Uint8Array, settings: SessionOptions, choices: InputChoices): Promise<Run> =>
  withSession(source, settings, async (session) => {
    await runOn(session, await makeInputs(io, session.model.graph, choices));
    const { memoryPlan, placement } = session;
    const plan = await session.explain();
    return {
      plan,
      memory: memoryPlan ? figuresOf(memoryPlan) : { failure: 'no node runs in linear memory' },
      placement,
    };
  });

const figuresOf = ({ peak, lowerBound, linearMemory }: MemoryPlan): MemoryFigures => ({
  peak,
  lowerBound,
  linearMemory,
});

/** The number of nodes of the optimized graph that each execution provider runs. */
function nodesByProvider(run: Run | Failure): Record<string, number> | null {
  if ('failure' in run) return null;
  const counts: Record<string, number> = {};
  for (const { provider } of run.placement) counts[provider] = (counts[provider] ?? 0) + 1;
  return counts;
}

const placementRows = (run: Run | Failure): string[][] =>
  Object.entries(nodesByProvider(run) ?? {}).map(([provider, count]) => [`runs on ${provider}`, plural(count, 'node')]);

function printSummary(io: Io, summary: ModelSummary, { graph }: Model): void {
  const opsets = Object.entries(summary.opsets).map(([domain, version]) => `${domain} ${version}`);
  const rows = [
    ['graph', `${graph.name || 'unnamed'}, ${plural(summary.nodes, 'node')}`],
    ['producer', summary.producer || 'unknown'],
    ['opsets', `${opsets.join(', ')} (IR version ${summary.irVersion})`],
    ...Object.entries(summary.metadata).map(([key, value]) => ['metadata', `${key} = ${value}`]),
    ...summary.functions.map((name) => ['function', name]),
    ...summary.inputs.map(({ name, type }) => ['input', `${name}: ${type}`]),
    ...summary.outputs.map(({ name, type }) => ['output', `${name}: ${type}`]),
  ];
  io.print(table(['', ''], rows));
  const operators = summary.operators.map(({ operator, count, supported }) => [
    operator,
    String(count),
    supported ? '' : 'not supported',
  ]);
  io.print(`\n${table(['operator', '>nodes', ''], operators)}`);
}

function printRewrites(io: Io, rewrites: readonly Rewrite[]): void {
  const rows = rewrites.map(({ rule, node }, i) => [String(i + 1), rule, node]);
  io.print(`\n${table(['>', 'rewrite', 'node'], rows)}`);
}

const OPEN = '?';
const shownBytes = (bytes: number | null): string => (bytes === null ? OPEN : formatBytes(bytes));

function printNodes(io: Io, nodes: readonly NodeFacts[]): void {
  const rows = nodes.map(({ id, operator, multiplyAdds, parameters, readBytes, writtenBytes }) => [
    id,
    operator,
    multiplyAdds === null ? OPEN : formatCount(multiplyAdds),
    formatCount(parameters),
    shownBytes(readBytes),
    shownBytes(writtenBytes),
  ]);
  io.print(`\n${table(['>node', 'operator', '>multiply-adds', '>parameters', '>reads', '>writes'], rows)}`);
}

const weightRows = ({ weights }: ModelSummary): string[][] => [
  ['parameters', formatCount(weights.parameters)],
  ['weights', formatBytes(weights.bytes)],
];

function workRow({ total, unknown, refusal }: Work): string[] {
  if (refusal) return ['multiply-adds', `unknown: ${refusal.message}`];
  const missing = unknown ? `, excluding ${plural(unknown, 'node')} with data-dependent shapes` : '';
  return ['multiply-adds', `${formatCount(total)} (${formatCount(2 * total)}FLOP)${missing}`];
}

function memoryRows(memory: MemoryFigures | Failure): string[][] {
  if ('failure' in memory) return [['memory', `unknown: ${memory.failure}`]];
  return [
    ['activations', `peak ${formatBytes(memory.peak)}, lower bound ${formatBytes(memory.lowerBound)}`],
    ['linear memory', formatBytes(memory.linearMemory)],
  ];
}

const NOT_TRACED =
  'This plan serves its own sizes alone. Plans whose open sizes are 2 or more (see --dim) are traced, unless nodes run in JavaScript or shapes depend on data.';

function printGuards(io: Io, plan: PlanExplanation | null): void {
  if (!plan) {
    io.print(`\n${NOT_TRACED}`);
    return;
  }
  const sizes = Object.entries(plan.sizes).map(([name, size]) => `${name}=${size}`);
  const nodesBy = new Map<string, number>();
  for (const { condition, node } of plan.guards) if (node) nodesBy.set(condition, (nodesBy.get(condition) ?? 0) + 1);
  const whole = plan.guards.filter(({ node }) => !node).map(({ condition }) => [condition, 'a new plan']);
  const parts = [...nodesBy].map(([condition, nodes]) => [condition, `${plural(nodes, 'node')} planned again`]);
  io.print(`\nThe plan for ${sizes.join(', ')} serves other sizes under these conditions:\n`);
  io.print(table(['condition', 'otherwise'], [...whole, ...parts]));
  if (plan.repeated.length > 0) io.print(`\nplanned again at each size: ${plan.repeated.join(', ')}`);
}
