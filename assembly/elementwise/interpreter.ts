import { scratch } from '../program';
import { arithmetic } from './arithmetic';
import { floats } from './floats';
import { functions } from './functions';
import { gatherBlock } from './gather-block';
import { integers } from './integers';
import { scalars } from './scalars';
import { isNative, narrowTo, storageBytes, widenFrom } from './storage';

/** How a block of the space finds an operand's elements. */
export const enum Access {
  /** Element i of the space is element i of the operand. */
  Dense,
  /** One value, stored in the operand's entry in the register type. */
  Immediate,
  /** Depends only on i mod period, period ≤ BLOCK_BYTES / size of a register element; a scalar has period 1. */
  Periodic,
  /** By strides. */
  Strided,
}

export const enum Elementwise {
  /** Elements in a tile: tiles = ceil(count / TILE). */
  TILE = 16384,
  /** Bytes of one register block. */
  BLOCK_BYTES = 4096,
  MAX_VALUES = 120,
  MAX_RANK = 16,
  /** 32-bit words of an operand entry before its strides, of an instruction, and of an output entry. */
  OPERAND_WORDS = 8,
  INSTRUCTION_WORDS = 10,
  OUTPUT_WORDS = 4,
}

/**
 * A program of elementwise instructions over a space of `count` elements, `dims` outermost first. `table` holds, one after another and in
 * 32-bit words:
 *   dims         [rank]
 *   operands     [operands]     pointer, Storage, Access, period, immediate (64 bits), offset, 0, strides [rank];
 *                               offset and strides are in elements
 *   instructions [instructions] Opcode, y, a, b, c, 0, alpha (64 bits), beta (64 bits)
 *   outputs      [outputs]      pointer, Storage, value, direct
 * Values are numbered: operands first, then `registers` blocks that instructions write. Immediates, alpha and beta have the register type
 * (f32 and i32 in the first word). Outputs are dense. A `direct` output has the register's storage and is written instead of its register,
 * by a single instruction after which no operand is read; so an output may overlap a dense operand of the same element size. A stored value
 * may be an operand only if the operand is dense and the only output has another storage than the register; otherwise use Copy.
 */
@unmanaged
export class ElementwiseParams {
  table: usize = 0;
  count: u32 = 0;
  rank: i32 = 0;
  operands: i32 = 0;
  registers: i32 = 0;
  instructions: i32 = 0;
  outputs: i32 = 0;
  /** Elements computed at once: divides TILE, is a whole number of vectors, and takes at most BLOCK_BYTES. */
  block: u32 = 0;
}

@unmanaged
class Operand {
  pointer: usize;
  storage: i32;
  access: i32;
  period: u32;
  immediate: u64;
  offset: u32;
  reserved: u32;
}

@unmanaged
class Instruction {
  opcode: i32;
  y: u32;
  a: u32;
  b: u32;
  c: u32;
  reserved: u32;
  alpha: u64;
  beta: u64;
}

@unmanaged
class Output {
  pointer: usize;
  storage: i32;
  value: u32;
  direct: i32;
}

/** A value's current block, and the step of a loop over it: 16, or 0 for one repeated vector. */
@unmanaged
class Value {
  block: usize;
  step: usize;
}

// Scratch: the values, counters, a block in its storage type, then for each value a block and room for one period.
const WALK: usize = 1024;
const STAGING: usize = 2048;
const STAGING_BYTES: usize = 2 * 2 * Elementwise.BLOCK_BYTES;
const BLOCKS: usize = STAGING + STAGING_BYTES;
const VALUE_BYTES: usize = 2 * Elementwise.BLOCK_BYTES;

@inline
function valueAt(i: usize): Value {
  return changetype<Value>(scratch + i * offsetof<Value>());
}

@inline
function ownBlock(i: usize): usize {
  return scratch + BLOCKS + i * VALUE_BYTES;
}

/** Gathers elements from…from+count of a strided operand to `y`, converted to the register type. */
function materialise<T>(y: usize, o: Operand, strides: usize, p: ElementwiseParams, from: usize, count: usize): void {
  const bytes = storageBytes(o.storage);
  const native = isNative<T>(o.storage);
  const raw = native ? y : scratch + STAGING;
  const walk = scratch + WALK;
  const x = o.pointer + <usize>o.offset * bytes;
  if (bytes == 1) gatherBlock<u8>(raw, x, p.table, strides, p.rank, from, count, walk);
  else if (bytes == 2) gatherBlock<u16>(raw, x, p.table, strides, p.rank, from, count, walk);
  else if (bytes == 4) gatherBlock<u32>(raw, x, p.table, strides, p.rank, from, count, walk);
  else gatherBlock<u64>(raw, x, p.table, strides, p.rank, from, count, walk);
  if (!native) widenFrom<T>(o.storage, y, raw, count);
}

@inline
function operandWords(p: ElementwiseParams): usize {
  return <usize>Elementwise.OPERAND_WORDS + <usize>p.rank;
}

@inline
function operandTable(p: ElementwiseParams): usize {
  return p.table + ((<usize>p.rank) << 2);
}

/** Continues the period at `block` by `more` bytes, and up to 15 bytes further. */
function repeat<T>(block: usize, period: usize, more: usize): void {
  const lag = period * ((period + 15) / period);
  const end = block + period + more;
  let y = block + period;
  for (const vectors = block + lag; y < vectors; y += sizeof<T>()) store<T>(y, load<T>(y - period));
  for (; y < end; y += 16) v128.store(y, v128.load(y - lag));
}

/** Prepares operands that are the same for every block: a vector of the immediate, or one period followed by a block. */
function prepareConstants<T>(p: ElementwiseParams): void {
  const size = operandWords(p) << 2;
  let entry = operandTable(p);
  for (let i: usize = 0; i < <usize>p.operands; i++, entry += size) {
    const o = changetype<Operand>(entry);
    const value = valueAt(i);
    const block = ownBlock(i);
    value.block = block;
    value.step = 16;
    if (o.access == Access.Immediate) {
      v128.store(block, v128.splat<T>(load<T>(entry, offsetof<Operand>('immediate'))));
      value.step = 0;
    } else if (o.access == Access.Periodic) {
      const period = <usize>o.period;
      materialise<T>(block, o, entry + offsetof<Operand>(), p, 0, period);
      if (period == 1) {
        v128.store(block, v128.splat<T>(load<T>(block)));
        value.step = 0;
      } else {
        const elements = min(<usize>p.count, <usize>Elementwise.BLOCK_BYTES / sizeof<T>());
        repeat<T>(block, period * sizeof<T>(), (elements * sizeof<T>() + 15) & ~15);
      }
    }
  }
  const last = <usize>(p.operands + p.registers);
  for (let i = <usize>p.operands; i < last; i++) {
    const value = valueAt(i);
    value.block = ownBlock(i);
    value.step = 16;
  }
}

/** Sets an operand's block from adjacent elements at `x`; in place if no conversion or padding is necessary. */
@inline
function placeRun<T>(i: usize, storage: i32, x: usize, count: usize, whole: bool): void {
  const native = isNative<T>(storage);
  const block = native && whole ? x : ownBlock(i);
  valueAt(i).block = block;
  if (!native) widenFrom<T>(storage, block, x, count);
  else if (!whole) memory.copy(block, x, count * sizeof<T>());
}

/** Address of elements from…from+count of a strided operand if they are adjacent or the same element; else 0. */
function runAt(o: Operand, strides: usize, p: ElementwiseParams, from: usize, count: usize): usize {
  const last = <usize>(p.rank - 1) << 2;
  const inner = <usize>load<u32>(p.table + last);
  if (from % inner + count > inner || load<u32>(strides + last) > 1) return 0;
  let at = <usize>o.offset;
  for (let d = <usize>p.rank << 2, rest = from; d > 0; ) {
    d -= 4;
    const dim = <usize>load<u32>(p.table + d);
    at += (rest % dim) * <usize>load<i32>(strides + d);
    rest /= dim;
  }
  return o.pointer + at * storageBytes(o.storage);
}

/** Sets a block of a strided operand: a run if elements are adjacent, one repeated vector if they are the same element, else gathered. */
function placeStrided<T>(
  i: usize, o: Operand, strides: usize, p: ElementwiseParams, from: usize, count: usize, whole: bool,
): void {
  const x = runAt(o, strides, p, from, count);
  const repeats = x != 0 && load<u32>(strides + (<usize>(p.rank - 1) << 2)) == 0;
  const value = valueAt(i);
  value.step = repeats ? 0 : 16;
  if (x != 0 && !repeats) return placeRun<T>(i, o.storage, x, count, whole);
  const block = ownBlock(i);
  value.block = block;
  if (!repeats) return materialise<T>(block, o, strides, p, from, count);
  if (isNative<T>(o.storage)) store<T>(block, load<T>(x));
  else widenFrom<T>(o.storage, block, x, 1);
  v128.store(block, v128.splat<T>(load<T>(block)));
}

function loadOperands<T>(p: ElementwiseParams, from: usize, count: usize, whole: bool): void {
  const size = operandWords(p) << 2;
  let entry = operandTable(p);
  for (let i: usize = 0; i < <usize>p.operands; i++, entry += size) {
    const o = changetype<Operand>(entry);
    if (o.access == Access.Dense) {
      const x = o.pointer + (<usize>o.offset + from) * storageBytes(o.storage);
      placeRun<T>(i, o.storage, x, count, whole);
    } else if (o.access == Access.Periodic) {
      if (o.period > 1) valueAt(i).block = ownBlock(i) + (from % <usize>o.period) * sizeof<T>();
    } else if (o.access == Access.Strided) {
      placeStrided<T>(i, o, entry + offsetof<Operand>(), p, from, count, whole);
    }
  }
}

@inline
function execute<T>(i: Instruction, bytes: usize): void {
  const a = valueAt(i.a);
  const b = valueAt(i.b);
  const c = valueAt(i.c);
  const y = valueAt(i.y).block;
  const end = y + bytes;
  const op = i.opcode;
  const alpha = load<T>(changetype<usize>(i), offsetof<Instruction>('alpha'));
  const beta = load<T>(changetype<usize>(i), offsetof<Instruction>('beta'));
  if (arithmetic<T>(op, y, end, a.block, a.step, b.block, b.step, c.block, c.step, alpha, beta)) return;
  if (isFloat<T>() && floats<T>(op, y, end, a.block, a.step, b.block, b.step, alpha, beta)) return;
  if (isFloat<T>() && sizeof<T>() == 4) {
    if (functions(op, y, end, a.block, a.step, b.block, b.step, <f32>alpha, <f32>beta)) return;
  }
  // In a loop over elements, a step is one element instead of one vector.
  const sa = (a.step * sizeof<T>()) >> 4;
  const sb = (b.step * sizeof<T>()) >> 4;
  if (isFloat<T>()) scalars<T>(op, y, end, a.block, sa, b.block, sb, alpha, beta);
  else integers<T>(op, y, end, a.block, sa, b.block, sb, alpha);
}

@inline
function run<T>(p: ElementwiseParams, begin: i32, end: i32): void {
  const blockElements = <usize>p.block;
  const program = operandTable(p) + <usize>p.operands * (operandWords(p) << 2);
  const outputs = program + <usize>p.instructions * offsetof<Instruction>();
  const outputsEnd = outputs + <usize>p.outputs * offsetof<Output>();
  const limit = min(<usize>end * Elementwise.TILE, <usize>p.count);
  prepareConstants<T>(p);
  for (let from = <usize>begin * Elementwise.TILE; from < limit; from += blockElements) {
    const count = min(blockElements, limit - from);
    // A block that ends inside a vector goes through scratch, so that loops need no tails.
    const bytes = (count * sizeof<T>() + 15) & ~15;
    const whole = count * sizeof<T>() == bytes;
    loadOperands<T>(p, from, count, whole);
    for (let entry = outputs; entry < outputsEnd; entry += offsetof<Output>()) {
      const o = changetype<Output>(entry);
      if (o.direct) valueAt(o.value).block = whole ? o.pointer + from * sizeof<T>() : ownBlock(o.value);
    }
    for (let entry = program; entry < outputs; entry += offsetof<Instruction>())
      execute<T>(changetype<Instruction>(entry), bytes);
    for (let entry = outputs; entry < outputsEnd; entry += offsetof<Output>()) {
      const o = changetype<Output>(entry);
      if (o.direct && whole) continue;
      const y = o.pointer + from * storageBytes(o.storage);
      const x = valueAt(o.value).block;
      if (isNative<T>(o.storage)) memory.copy(y, x, count * sizeof<T>());
      else narrowTo<T>(o.storage, y, x, count);
    }
  }
}

/** f32 registers: all float operations; integers up to 2²⁴ are exact. */
export function elementwiseF32(p: ElementwiseParams, begin: i32, end: i32): void {
  run<f32>(p, begin, end);
}

/** i32 registers: bool and integers of up to 32 signed or 16 unsigned bits. */
export function elementwiseI32(p: ElementwiseParams, begin: i32, end: i32): void {
  run<i32>(p, begin, end);
}

/** i64 registers: also uint32; uint64 unless a division, comparison or conversion depends on its sign. */
export function elementwiseI64(p: ElementwiseParams, begin: i32, end: i32): void {
  run<i64>(p, begin, end);
}

export function elementwiseF64(p: ElementwiseParams, begin: i32, end: i32): void {
  run<f64>(p, begin, end);
}
