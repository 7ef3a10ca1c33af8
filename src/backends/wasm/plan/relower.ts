import { type Engine, STEP_BYTES } from '../../../../bindings/engine.js';
import { pointersIn, writeParams } from '../../../../bindings/parameters.js';
import type { Pointer } from '../../../../bindings/place.js';
import type { Facts } from '../../../graph/facts.js';
import type { Value } from '../../../graph/graph.js';
import type { Size } from '../../../graph/sizes.js';
import { bytesOf as rawBytes } from '../../../tensor/stored-rows.js';
import type { PlanningContext } from './context.js';
import { buffersOf, type Draft, isReadInStep, type Proposal, pointersOf, readsOf } from './draft.js';
import { sameItems } from './equality.js';
import type { Launch, PlannedLaunch } from './launch.js';
import { lowerNode } from './lower-node.js';
import { type AnyPlace, type Buffer, bufferOf, bytesIn, type Contents, inTable, type Table } from './places.js';
import { type Program, STEP_TILES } from './program.js';
import type { Guard, HostCall, Lowered, Stage } from './stage.js';
import type { Weights } from './weights.js';

/** Replacements for launches of a program, by index, and for tables, calls and data checks of its stage. */
export interface Replacements {
  readonly launches: ReadonlyMap<number, Pick<PlannedLaunch, 'params' | 'tiles'>>;
  readonly tables: readonly Table[];
  readonly calls: ReadonlyMap<HostCall, HostCall>;
  readonly guards: ReadonlyMap<Guard, Guard>;
}

/** Lowers nodes of a stage again by numbers. Throws if they would emit other launches, or the same in other places. */
export function lowerAgain(
  context: PlanningContext,
  stage: Stage,
  facts: Facts,
  nodes: readonly Lowered[],
): Replacements {
  const draft = new SecondDraft(context, stage);
  for (const lowered of nodes) {
    draft.begin(lowered);
    lowerNode(draft, facts, lowered.node, stage.blueprint.host);
    draft.end();
  }
  return draft;
}

/** Overwrites launches and tables of a program; their pointers stay. */
export function rewrite(
  { view, i32, u8 }: Engine,
  { address, paramsAt, launches }: Program,
  replaced: Pick<Replacements, 'launches' | 'tables'>,
): void {
  for (const [i, { tiles, params }] of replaced.launches) {
    i32[(address + i * STEP_BYTES) / 4 + STEP_TILES] = tiles;
    const at = address + (paramsAt[i] as number);
    writeParams(view, at, (launches[i] as Launch).kernel, params as never, (_, word) => view.getUint32(word, true));
  }
  for (const { words, offset } of replaced.tables)
    if (ArrayBuffer.isView(words)) u8.set(rawBytes(words as Uint8Array), address + offset);
    else for (const [i, word] of words.entries()) if (typeof word === 'number') i32[(address + offset) / 4 + i] = word;
}

const differs = (): never => {
  throw new Error('the node has other launches at these sizes');
};

/** Takes the launches of nodes that have been lowered before; memory, lifetimes and order stay the same. */
class SecondDraft implements Draft, Replacements {
  readonly engine: Engine;
  readonly weights: Weights;
  readonly own: Weights;
  readonly launches = new Map<number, Pick<PlannedLaunch, 'params' | 'tiles'>>();
  readonly tables: Table[] = [];
  readonly calls = new Map<HostCall, HostCall>();
  readonly guards = new Map<Guard, Guard>();
  #lowered: Lowered | undefined;
  /** The demands of the current node so far. */
  #count = { steps: 0, temporaries: 0, tables: 0, guards: 0 };

  constructor(
    { engine, weights }: PlanningContext,
    private readonly stage: Stage,
  ) {
    this.engine = engine;
    this.weights = weights;
    this.own = stage.program.constants;
  }

  begin(lowered: Lowered): void {
    this.#lowered = lowered;
    this.#count = { steps: 0, temporaries: 0, tables: 0, guards: 0 };
  }

  end(): void {
    const lowered = this.#lowered as Lowered;
    for (const kind of KINDS) if (this.#count[kind] !== lowered[kind].length) differs();
  }

  /** The counterpart from when the current node was lowered first. */
  #next<K extends Kind>(kind: K): Lowered[K][number] {
    const all: readonly Lowered[K][number][] = (this.#lowered as Lowered)[kind];
    return all[this.#count[kind]++] ?? differs();
  }

  placeOf(value: Value): Pointer {
    return this.stage.values.get(value) ?? differs();
  }

  temporary(bytes: Size): Buffer {
    const before = this.#next('temporaries');
    return (bytes as number) <= before.capacity ? before : differs();
  }

  table(contents: Contents): Table {
    const before = this.#next('tables');
    const made = { ...before, ...inTable(contents) };
    if (bytesIn(made.words) > made.capacity || !pointInPlace(before, made)) differs();
    this.tables.push(made);
    return made;
  }

  alias(output: Value, place: Pointer): void {
    if (!samePlace(this.placeOf(output), place)) differs();
  }

  guard(guard: Guard): void {
    const before = this.#next('guards');
    if (!samePlace(before.source.place, guard.source.place)) differs();
    this.guards.set(before, guard);
  }

  launch(proposal: Proposal): void {
    const index = (this.#lowered as Lowered).firstLaunch + this.#count.steps;
    const before = this.#next('steps');
    if (!('kernel' in before) || !isRepeated(before, proposal) || !pointAlike(before, proposal)) differs();
    this.launches.set(index, { params: proposal.params, tiles: proposal.tiles as number });
  }

  call(call: HostCall): void {
    const before = this.#next('steps');
    if (!('view' in before) || !sameItems(buffersOf(pointersOf(before)), buffersOf(pointersOf(call)))) differs();
    this.calls.set(before as HostCall, call);
  }
}

type Kind = 'steps' | 'temporaries' | 'tables' | 'guards';
const KINDS = ['steps', 'temporaries', 'tables', 'guards'] as const;

/** Whether `now` is the same launch at other sizes: lifetimes and barriers require the same kernel and memory. */
export function isRepeated({ kernel, phase, reads, writes, takeover }: Launch, now: Proposal): boolean {
  if (kernel !== now.kernel || phase !== now.phase) return false;
  if (!sameBuffers(reads, readsOf(now)) || !sameBuffers(writes, now.writes)) return false;
  if (!takeover) return true;
  const { source, target } = takeover;
  const isPair = now.inPlace.some(([written, read]) => written === target && bufferOf(read) === source);
  return isPair && isReadInStep(source, now.inPlace, reads);
}

/** Whether two launches of a kernel point to the same places. */
function pointAlike({ kernel, params }: PlannedLaunch, now: Proposal): boolean {
  const [before, after] = [pointersIn(kernel, params as never), pointersIn(kernel, now.params as never)];
  return before.every((pointer, i) => samePlace(pointer, after[i] as Pointer));
}

const sameBuffers = (buffers: readonly Buffer[], pointers: readonly Pointer[]) =>
  sameItems(buffers, buffersOf(pointers));

/** Whether the pointers in two tables point to the same places. */
function pointInPlace({ words: before }: Table, { words: now }: Table): boolean {
  if (ArrayBuffer.isView(before) || ArrayBuffer.isView(now))
    return ArrayBuffer.isView(before) && ArrayBuffer.isView(now);
  return (
    before.length === now.length &&
    before.every((word, i) =>
      typeof word === 'number' ? typeof now[i] === 'number' : samePlace(word, now[i] as Pointer),
    )
  );
}

/** Whether two pointers point to the same place; tables are compared when they are made. */
function samePlace(a: Pointer, b: Pointer): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b;
  const [x, y] = [a as AnyPlace, b as AnyPlace];
  if (x.kind === 'table') return y.kind === 'table' && x.number === y.number;
  if (x === y) return true;
  if (x.kind === 'shifted') return y.kind === 'shifted' && x.bytes === y.bytes && samePlace(x.base, y.base);
  return x.kind === 'fixed' && y.kind === 'fixed' && x.address === y.address;
}
