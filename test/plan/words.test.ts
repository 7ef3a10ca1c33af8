import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { STEP_BYTES } from '../../bindings/engine.js';
import { fieldsOf } from '../../bindings/parameters.js';
import type { Pointer } from '../../bindings/place.js';
import type { PlannedLaunch } from '../../src/backends/wasm/plan/launch.js';
import { makeMovable } from '../../src/backends/wasm/plan/movable.js';
import { bufferOf, type Table } from '../../src/backends/wasm/plan/places.js';
import { planStage } from '../../src/backends/wasm/plan/planner.js';
import { type Program, STEP_TILES } from '../../src/backends/wasm/plan/program.js';
import type { Stage } from '../../src/backends/wasm/plan/stage.js';
import { Facts } from '../../src/graph/facts.js';
import type { Graph } from '../../src/graph/graph.js';
import { tensorType } from '../../src/graph/types.js';
import { loadGroups } from '../../src/groups/load-groups.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { randomly } from '../session/run-model.js';
import { byTier, seriesByTier } from '../tier.js';
import { FLOATS } from './networks/floats.js';
import { INDEXING } from './networks/indexing.js';
import { LANGUAGE } from './networks/language.js';
import type { Network } from './networks/network.js';
import { QUANTIZED } from './networks/quantized.js';
import { randomModel } from './random-graphs.js';
import { contextOf } from './runners.js';

const test = suite('words of a moved plan');

test.before(() => loadGroups());

type Context = Awaited<ReturnType<typeof contextOf>>;

/** A plan made of the graph for these shapes, where buffers have room to grow as in the plan that is moved. */
function planned({ context, graph }: Context, shapes: readonly TensorValue[], before?: Stage): Stage {
  const facts = new Facts();
  const held = graph.inputs;
  held.forEach((value, i) => {
    const { type, dims } = shapes[i] as TensorValue;
    facts.set(value, { type: tensorType(type, dims) });
  });
  const start = {
    nodes: graph.nodes,
    facts,
    held,
    given: held,
    onHost: new Set<never>(),
    resident: new Map(),
    outputs: graph.outputs,
    lasting: new Set<never>(),
    evaluates: false,
  };
  return planStage(context, start, before);
}

/** The launches of a stage with numbers in place of addresses: which buffer a pointer leads into, and how far. */
function wordsOf({ context }: Context, stage: Stage, by: Stage): unknown[] {
  const { engine, arena } = context;
  const { program } = stage;
  const view = new DataView(engine.memory.buffer);
  const launches = (by.program as Program).launches as readonly PlannedLaunch[];
  const numbers = new Map([...by.buffers].map((buffer, i) => [buffer, i]));
  const starts = [...by.buffers].map((buffer) => arena.base + buffer.offset);
  return launches.map(({ kernel, params }, i) => {
    const at = program.address + (program.paramsAt[i] as number);
    const tiles = engine.i32[(program.address + i * STEP_BYTES) / 4 + STEP_TILES];
    const fields = fieldsOf(kernel).map(({ name, kind, offset }) => {
      const word = kind === 'f32' ? view.getFloat32(at + offset, true) : view.getInt32(at + offset, true);
      if (kind !== 'pointer') return `${name}=${word}`;
      const pointer = (params as Record<string, Pointer>)[name] as Pointer;
      const buffer = bufferOf(pointer);
      if (!buffer) return `${name}: ${kindOf(pointer)} +${offsetIn(pointer, word, program)}`;
      const number = numbers.get(buffer) as number;
      return `${name}: buffer ${number} +${word - (starts[number] as number)}`;
    });
    return [kernel, tiles, ...fields, ...tablesOf({ engine } as never, program, params)];
  });
}

const kindOf = (pointer: Pointer): string => (typeof pointer === 'number' ? 'address' : pointer.kind);

function offsetIn(pointer: Pointer, word: number, { address }: Program): number {
  if (typeof pointer === 'number') return word;
  return pointer.kind === 'table' ? word - address - (pointer as Table).offset : 0;
}

/** The words of tables that a launch names, pointers left out. */
function tablesOf({ engine }: Context['context'], { address }: Program, params: object): unknown[] {
  return Object.values(params).flatMap((field) => {
    if (typeof field !== 'object' || field?.kind !== 'table') return [];
    const { words, offset } = field as Table;
    if (ArrayBuffer.isView(words)) return [];
    return words.map((word, i) => (typeof word === 'number' ? engine.i32[(address + offset) / 4 + i] : 'pointer'));
  });
}

/** Moves a plan to sizes at random; where it moves, its words are those of a plan made at these sizes. */
async function compare(
  name: string,
  context: Context,
  sizes: readonly (readonly TensorValue[])[],
  repeated?: readonly string[],
): Promise<number> {
  const [first, ...others] = sizes as [readonly TensorValue[], ...(readonly TensorValue[])[]];
  // Values whose sizes differ from an earlier stage's get room.
  const small = planned(context, others[0] as readonly TensorValue[]);
  const stage = planned(context, first, small);
  const movable = makeMovable(context.context, stage, null);
  if (!movable) return 0;
  if (repeated) assert.equal(movable.explain().repeated, repeated, `${name}: nodes that are repeated by numbers`);
  let moved = 0;
  // Without the sizes of `small`: at the same sizes, only values of decompositions count as varied.
  for (const shapes of [...others.slice(1), first]) {
    if (!movable.moveTo((value) => shapes[context.graph.inputs.indexOf(value)])) continue;
    moved++;
    const fresh = planned(context, shapes, small);
    const message = `${name} at ${shapes.map(({ dims }) => `[${dims}]`)}`;
    assert.equal(wordsOf(context, stage, stage), wordsOf(context, fresh, fresh), message);
  }
  return moved;
}

const shapesOf = (graph: Graph, dims: readonly (readonly number[])[]): TensorValue[] =>
  graph.inputs.map((value, i) => {
    const type = value.type?.kind === 'tensor' ? value.type.element : 'float32';
    return { type, dims: dims[i] as number[], data: [] } as unknown as TensorValue;
  });

const SIZES = byTier({ quick: 12, ci: 16, all: 200 });

for (const [name, network] of Object.entries<Network>({
  ...FLOATS,
  ...QUANTIZED,
  ...LANGUAGE,
  ...INDEXING,
}))
  test(`${name}: as plans of their own`, async () => {
    const context = await contextOf(network.model);
    const next = randomly(name.length);
    const largest = shapesOf(
      context.graph,
      network.dims(() => 0.999),
    );
    const sizes = Array.from({ length: SIZES }, () => shapesOf(context.graph, network.dims(next)));
    const moved = await compare(name, context, [largest, ...sizes], network.repeated ?? []);
    assert.ok(moved >= SIZES / 2, `${moved} of ${SIZES} sizes were moved to`);
  });

const SEEDS = seriesByTier({ quick: 30, ci: 100, all: 1500 });

test(`${SEEDS.length} random graphs: as plans of their own`, async () => {
  let moved = 0;
  for (const seed of SEEDS) {
    const context = await contextOf(randomModel(seed));
    const next = randomly(seed);
    const size = () => 2 + Math.floor(next() * 30);
    const sizes = Array.from({ length: 8 }, () => shapesOf(context.graph, [[size(), 4, 6]]));
    moved += await compare(`seed ${seed}`, context, sizes);
  }
  assert.ok(moved > SEEDS.length, `${moved} moves`);
});

test.run();
