import { type Engine, STEP_BYTES } from '../../../../bindings/engine.js';
import { type KernelName, kernelSize, writeParams } from '../../../../bindings/parameters.js';
import type { Pointer } from '../../../../bindings/place.js';
import type { Arena, Relocatable } from './arena.js';
import type { Launch, PlannedLaunch } from './launch.js';
import { type AnyPlace, type Buffer, rootOf, type Table } from './places.js';
import type { Weights } from './weights.js';

/** Byte offsets of the words in a program that hold addresses: in the arena, in the program itself, and in slots. */
export interface Pointers {
  readonly arena: readonly number[];
  readonly own: readonly number[];
  readonly slots: readonly SlotWord[];
}

/** A word that holds an address in a slot. */
export interface SlotWord {
  readonly slot: number;
  readonly word: number;
}

/** A program in linear memory: steps, then parameter blocks, then tables, in one block. */
export interface Program extends Relocatable {
  readonly bytes: number;
  readonly steps: number;
  readonly launches: readonly Launch[];
  /** The offset of each launch's parameters from the program's start. */
  readonly paramsAt: readonly number[];
  /** The pointers in each launch's parameters, then in each table. */
  readonly pointers: readonly Pointers[];
  /** The current address of each slot. */
  readonly slots: number[];
  /** The constants that only this program reads. */
  readonly constants: Weights;
}

const aligned = (bytes: number, to: number) => Math.ceil(bytes / to) * to;

/** Writes the launches as a program at `address`; all buffers must have offsets. */
export function writeProgram(
  engine: Engine,
  arena: Arena,
  launches: readonly PlannedLaunch[],
  tables: readonly Table[],
  constants: Weights,
  { paramsAt, bytes }: Layout,
  address: number,
): Program {
  const barriers = barriersOf(launches);
  launches.forEach((launch, i) => {
    const params = address + (paramsAt[i] as number);
    const step = (address + i * STEP_BYTES) / 4;
    const { kernel, tiles, phase } = launch;
    engine.i32.set([engine.kernelIndex[kernel], params, tiles, barriers[i] ? 1 : 0, phase], step);
  });
  const writer = { engine, base: arena.base, address, slots: [] };
  const pointers = [
    ...launches.map((launch, i) => writeBlock(writer, launch.kernel, launch.params, paramsAt[i] as number)),
    ...tables.map((table) => writeTable(writer, table)),
  ];
  const steps = launches.length;
  const slots = pointers.flatMap((of) => of.slots.map(({ slot }) => slot));
  const program = {
    address,
    bytes,
    steps,
    launches,
    paramsAt,
    pointers,
    slots: new Array<number>(Math.max(-1, ...slots) + 1).fill(0),
    constants,
  };
  arena.add(program);
  return program;
}

/** The words of a step: kernel, parameters, tiles, barrier, phase. */
export const STEP_PARAMS = 1;
export const STEP_TILES = 2;
export const STEP_PHASE = 4;

/** Tiles of the steps `begin…end` of a program. */
export function tilesOf({ i32 }: Engine, { address }: Program, begin: number, end: number): number {
  let tiles = 0;
  for (let step = begin; step < end; step++) tiles += i32[(address + step * STEP_BYTES) / 4 + STEP_TILES] as number;
  return tiles;
}

/** Frees a program's memory, but not its constants. */
export function freeProgram(engine: Engine, arena: Arena, program: Program): void {
  arena.remove(program);
  engine.free(program.address);
}

/** The offsets of a program's parameter blocks, and its size. */
export interface Layout {
  readonly paramsAt: readonly number[];
  readonly bytes: number;
}

/** Assigns offsets in a program to launches and tables. */
export function layOut(launches: readonly Launch[], tables: readonly Table[]): Layout {
  let end = launches.length * STEP_BYTES;
  const paramsAt = launches.map((launch) => {
    const at = aligned(end, 8);
    end = at + kernelSize(launch.kernel);
    return at;
  });
  tables.forEach((table, number) => {
    table.number = number;
    table.offset = aligned(end, 16);
    end = table.offset + table.capacity;
  });
  return { paramsAt, bytes: end };
}

/** The memory to write to: the program at `address`, with its arena at `base`. */
export interface Writer {
  readonly engine: Engine;
  readonly base: number;
  readonly address: number;
  /** Addresses of slots; 0 until they are known. */
  readonly slots: readonly number[];
}

/** Resolves pointers to addresses, and records the words whose addresses may move. */
function resolver({ base, address, slots: known }: Writer) {
  const arena: number[] = [];
  const own: number[] = [];
  const slots: SlotWord[] = [];
  const resolve = (pointer: Pointer, word: number): number => {
    const inArena = rootOf(pointer);
    const slot = inArena?.buffer.slot?.number;
    if (inArena && slot !== undefined) {
      slots.push({ slot, word: word - address });
      return (known[slot] ?? 0) + inArena.offset;
    }
    if (inArena) {
      arena.push(word - address);
      return base + inArena.buffer.offset + inArena.offset;
    }
    if (isBeside(pointer)) own.push(word - address);
    return fixedAddress(pointer, address);
  };
  return { pointers: { arena, own, slots }, resolve };
}

export function writeBlock(writer: Writer, kernel: KernelName, params: object, at: number): Pointers {
  const { pointers, resolve } = resolver(writer);
  writeParams(writer.engine.view, writer.address + at, kernel, params as never, resolve);
  return pointers;
}

const NO_POINTERS: Pointers = { arena: [], own: [], slots: [] };

export function writeTable(writer: Writer, { words, offset }: Table): Pointers {
  const { engine } = writer;
  const address = writer.address + offset;
  if (ArrayBuffer.isView(words)) {
    engine.u8.set(new Uint8Array(words.buffer, words.byteOffset, words.byteLength), address);
    return NO_POINTERS;
  }
  const { pointers, resolve } = resolver(writer);
  words.forEach((word, i) => {
    engine.view.setInt32(address + 4 * i, typeof word === 'number' ? word : resolve(word, address + 4 * i), true);
  });
  return pointers;
}

/** Whether `pointer` points into a table of the program. */
function isBeside(pointer: Pointer): boolean {
  let place = pointer as AnyPlace | number;
  while (typeof place === 'object' && place.kind === 'shifted') place = place.base as AnyPlace;
  return typeof place === 'object' && place.kind === 'table';
}

/** Address of a place outside the arena: in a table of the program at `program`, or among the weights. */
export function fixedAddress(pointer: Pointer, program: number): number {
  const place = pointer as AnyPlace | number;
  if (typeof place === 'number') return place;
  if (place.kind === 'fixed') return place.address;
  if (place.kind === 'table') return program + place.offset;
  if (place.kind === 'shifted') return fixedAddress(place.base, program) + place.bytes;
  throw new Error('a buffer of the arena has no fixed address');
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Whether each launch needs a barrier, because of a RAW, WAW or WAR hazard with launches since the last barrier. */
export function barriersOf(launches: readonly Launch[]): boolean[] {
  let reads: Range[] = [];
  let writes: Range[] = [];
  return launches.map((launch) => {
    const reading = launch.reads.map(rangeOf);
    const writing = launch.writes.map(rangeOf);
    const depends = overlaps(reading, writes) || overlaps(writing, writes) || overlaps(writing, reads);
    if (depends) [reads, writes] = [[], []];
    reads.push(...reading);
    writes.push(...writing);
    return depends;
  });
}

const rangeOf = ({ offset, capacity }: Buffer): Range => ({ start: offset, end: offset + capacity });

const overlaps = (a: readonly Range[], b: readonly Range[]) =>
  a.some((x) => b.some((y) => x.start < y.end && y.start < x.end));
