import { type Engine, STEP_BYTES } from '../../../../bindings/engine.js';
import { type KernelName, writeParams } from '../../../../bindings/parameters.js';
import type { Arena } from './arena.js';
import type { Launch } from './launch.js';
import type { Table } from './places.js';
import { type Program, STEP_PARAMS, STEP_TILES, type Writer, writeBlock, writeTable } from './program.js';
import type { Weights } from './weights.js';

/** A repeated launch: of the same kernel, at other sizes. */
export interface Repeat {
  readonly tiles: number;
  readonly params: object;
  /** Whether the parameters keep their pointers, and only numbers differ. */
  readonly keepsPointers: boolean;
}

/** Replacements for some of a program's launches and tables, by index. */
export interface Replacements {
  readonly launches: ReadonlyMap<number, Repeat>;
  readonly tables: ReadonlyMap<number, Table>;
}

/** A copy of the program `base`, with some launches of the same kernels at other sizes. */
export function reviseProgram(
  engine: Engine,
  arena: Arena,
  base: Program,
  replaced: Replacements,
  constants: Weights,
): Program {
  const address = engine.allocate(base.bytes);
  copyProgram(engine, base, address);
  const pointers = [...base.pointers];
  const slots = [...base.slots];
  const writer = { engine, base: arena.base, address, slots };
  for (const [i, { tiles, params, keepsPointers }] of replaced.launches) {
    const { kernel } = base.launches[i] as Launch;
    const at = base.paramsAt[i] as number;
    engine.i32[(address + i * STEP_BYTES) / 4 + STEP_TILES] = tiles;
    if (keepsPointers) writeNumbers(writer, kernel, params, at);
    else pointers[i] = writeBlock(writer, kernel, params, at);
  }
  for (const [i, table] of replaced.tables) pointers[base.steps + i] = writeTable(writer, table);
  const program = { ...base, address, pointers, slots, constants };
  arena.add(program);
  return program;
}

function copyProgram({ u8, i32 }: Engine, { address: from, bytes, steps, pointers }: Program, to: number): void {
  u8.copyWithin(to, from, from + bytes);
  const distance = to - from;
  const move = (word: number) => {
    i32[word] = (i32[word] as number) + distance;
  };
  for (let step = 0; step < steps; step++) move((to + step * STEP_BYTES) / 4 + STEP_PARAMS);
  for (const { own } of pointers) for (const word of own) move((to + word) / 4);
}

/** Overwrites launches and tables of a program; the launches keep their pointers. */
export function rewrite(
  engine: Engine,
  arena: Arena,
  { address, paramsAt, launches, slots }: Program,
  replaced: Replacements,
): void {
  const writer = { engine, base: arena.base, address, slots };
  for (const [i, { tiles, params }] of replaced.launches) {
    engine.i32[(address + i * STEP_BYTES) / 4 + STEP_TILES] = tiles;
    writeNumbers(writer, (launches[i] as Launch).kernel, params, paramsAt[i] as number);
  }
  for (const table of replaced.tables.values()) writeTable(writer, table);
}

/** Writes the numbers of a parameter block; its pointers stay. */
function writeNumbers({ engine: { view }, address }: Writer, kernel: KernelName, params: object, at: number): void {
  writeParams(view, address + at, kernel, params as never, (_, word) => view.getUint32(word, true));
}
