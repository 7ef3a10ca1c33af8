import { expose, transfer } from 'comlink';
import { type Inspection, inspectModel, loadModel, type Model, matchModels, saveModel, simplify } from 'sardonyx/model';
import { buffersOf } from '../../graph/buffers.js';
import type { Compared, CompareService, NodeCell, NodeRow, SideFacts, Status } from '../contracts/compare.js';
import { STATUSES } from '../contracts/compare.js';
import { counterparts } from './counterparts.js';
import { indexOf, pathOf } from './ids.js';
import { namesIn } from './names-in.js';
import { statusOf } from './status-of.js';
import { time } from './time.js';

let models: readonly [Model, Model] | undefined;
let rows: readonly NodeRow[] = [];

const service: CompareService = {
  async compare(before, after) {
    const first = await loadModel(before.model, { externalData: before.beside });
    const second = await (after === 'simplified'
      ? simplify(first).then(({ model }) => model)
      : loadModel(after.model, { externalData: after.beside }));
    models = [first, second];
    const found = [await inspectModel(first), await inspectModel(second)] as const;
    const { nodes, others } = await matchModels(first, second);
    const cells = [cellsOf(first, found[0]), cellsOf(second, found[1])] as const;
    rows = nodes.map(({ before: left, after: right, changes }) => ({
      status: statusOf(left, right, changes),
      before: left === null ? null : (cells[0].get(left) ?? null),
      after: right === null ? null : (cells[1].get(right) ?? null),
      changes,
    }));
    const made = after === 'simplified' ? await filesOf(second, before.name) : null;
    const sizes = [sizeOf(before), sizeOf(made ?? (after as typeof before))] as const;
    return {
      sides: [factsOf(found[0], sizes[0]), factsOf(found[1], sizes[1])],
      counts: countsOf(rows),
      others,
      made,
      symbols: symbolsOf(found),
    };
  },
  rows: (statuses, begin, count) => rows.filter(({ status }) => statuses.includes(status)).slice(begin, begin + count),
  marks(side, path) {
    const found = rows.flatMap(({ status, ...row }) => {
      const { id } = row[side === 0 ? 'before' : 'after'] ?? {};
      const isHere = id !== undefined && pathOf(id) === path;
      return isHere ? [[indexOf(id), STATUSES.indexOf(status)] as const] : [];
    });
    const marked = {
      index: Int32Array.from(found, ([i]) => i),
      status: Uint8Array.from(found, ([, status]) => status),
    };
    return transfer(marked, buffersOf(marked));
  },
  counterparts(side, path) {
    const found = counterparts(rows, side, path);
    return transfer(found, [found.nodes.buffer]);
  },
  time(sizes, runs, onProgress) {
    if (!models) throw new Error('there is no comparison yet');
    return time(models, sizes, runs, onProgress);
  },
};

function cellsOf({ proto }: Model, { byNode }: Inspection): Map<string, NodeCell> {
  const facts = new Map(byNode.map((node) => [node.id, node]));
  return new Map(
    Array.from(namesIn(proto), ([id, { operator, name }]) => {
      const { multiplyAdds = null, weightBytes = 0 } = facts.get(id) ?? {};
      return [id, { id, operator, name, multiplyAdds, weightBytes }];
    }),
  );
}

const factsOf = ({ nodes, weights, multiplyAdds }: Inspection, bytes: number): SideFacts => ({
  bytes,
  nodes,
  parameters: weights.parameters,
  weightBytes: weights.bytes,
  multiplyAdds,
});

const sizeOf = ({ model, beside }: { model: Blob; beside: readonly { data: Blob }[] }): number =>
  beside.reduce((sum, { data }) => sum + data.size, model.size);

async function filesOf(model: Model, name: string): Promise<NonNullable<Compared['made']>> {
  const bytes = await saveModel(model);
  const blob = new Blob([bytes as Uint8Array<ArrayBuffer>]);
  return { name: name.replace(/(\.onnx)?$/i, '-simplified.onnx'), model: blob, beside: [] };
}

function countsOf(list: readonly NodeRow[]): Record<Status, number> {
  const counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>;
  for (const { status } of list) counts[status]++;
  return counts;
}

/** Names of open sizes, taken from the types of inputs: `float32[batch,3]`. */
const symbolsOf = (found: readonly Inspection[]): string[] => [
  ...new Set(found.flatMap(({ inputs }) => inputs.flatMap(({ type }) => sizesIn(type)))),
];

const sizesIn = (type: string): string[] =>
  (/^\w+\[(.*)\]$/.exec(type)?.[1] ?? '').split(',').filter((size) => size !== '' && !/^\d+$/.test(size));

expose(service);
