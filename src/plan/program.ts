import { type Engine, STEP_BYTES } from '../../bindings/engine.js';
import { type KernelName, kernelSize, writeParams } from '../../bindings/parameters.js';
import type { Pointer } from '../../bindings/place.js';
import type { Arena } from './arena.js';
import type { Launch } from './launch.js';
import { type AnyPlace, rootOf, type Table } from './places.js';
import type { Weights } from './weights.js';

/** A program in linear memory: steps, then parameter blocks, then tables, in one block. */
export interface Program {
  readonly address: number;
  readonly bytes: number;
  readonly steps: number;
  readonly arenaPointers: readonly number[];
  readonly launches: readonly Launch[];
  /** The constants that only this program reads. */
  readonly constants: Weights;
}

const aligned = (bytes: number, to: number) => Math.ceil(bytes / to) * to;

/** Writes the launches as a program; every buffer has its offset by now. */
export function writeProgram(
  engine: Engine,
  arena: Arena,
  launches: readonly Launch[],
  tables: readonly Table[],
  constants: Weights,
): Program {
  const { paramsAt, bytes } = layOut(launches, tables);
  const address = engine.allocate(bytes);
  const arenaPointers: number[] = [];

  const resolve = (pointer: Pointer, word: number): number => {
    const inArena = rootOf(pointer);
    if (!inArena) return fixedAddress(pointer, address);
    arenaPointers.push(word);
    return arena.base + inArena.buffer.offset + inArena.offset;
  };

  const barriers = barriersOf(launches);
  launches.forEach((launch, i) => {
    const params = address + (paramsAt[i] as number);
    const step = (address + i * STEP_BYTES) / 4;
    engine.i32.set([engine.kernelIndex[launch.kernel], params, launch.tiles, barriers[i] ? 1 : 0], step);
    writeParams(engine.view, params, launch.kernel as KernelName, launch.params as never, resolve);
  });
  for (const table of tables) writeTable(engine, table, address + table.offset, resolve);
  const program = { address, bytes, steps: launches.length, arenaPointers, launches, constants };
  arena.add(program);
  return program;
}

export function freeProgram(engine: Engine, arena: Arena, program: Program): void {
  arena.remove(program);
  program.constants.release();
  engine.free(program.address);
}

function layOut(launches: readonly Launch[], tables: readonly Table[]): { paramsAt: number[]; bytes: number } {
  let end = launches.length * STEP_BYTES;
  const paramsAt = launches.map((launch) => {
    const at = aligned(end, 8);
    end = at + kernelSize(launch.kernel);
    return at;
  });
  for (const table of tables) {
    table.offset = aligned(end, 16);
    end = table.offset + tableBytes(table);
  }
  return { paramsAt, bytes: end };
}

const tableBytes = ({ words }: Table) => (ArrayBuffer.isView(words) ? words.byteLength : words.length * 4);

function writeTable(
  engine: Engine,
  { words }: Table,
  address: number,
  resolve: (p: Pointer, at: number) => number,
): void {
  if (ArrayBuffer.isView(words)) {
    engine.u8.set(new Uint8Array(words.buffer, words.byteOffset, words.byteLength), address);
    return;
  }
  words.forEach((word, i) => {
    engine.view.setInt32(address + 4 * i, typeof word === 'number' ? word : resolve(word, address + 4 * i), true);
  });
}

/** Address of something outside the arena, beside the program at `program` or among the weights. */
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

/** True for each launch that touches what an earlier one since the last barrier writes, or writes what it touches. */
export function barriersOf(launches: readonly Launch[]): boolean[] {
  let reads: Range[] = [];
  let writes: Range[] = [];
  return launches.map((launch) => {
    const reading = launch.reads.flatMap(rangeOf);
    const writing = launch.writes.flatMap(rangeOf);
    const depends = overlaps(reading, writes) || overlaps(writing, writes) || overlaps(writing, reads);
    if (depends) [reads, writes] = [[], []];
    reads.push(...reading);
    writes.push(...writing);
    return depends;
  });
}

function rangeOf(pointer: Pointer): Range[] {
  const root = rootOf(pointer);
  return root ? [{ start: root.buffer.offset, end: root.buffer.offset + root.buffer.bytes }] : [];
}

const overlaps = (a: readonly Range[], b: readonly Range[]) =>
  a.some((x) => b.some((y) => x.start < y.end && y.start < x.end));
