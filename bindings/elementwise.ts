import { Access, Elementwise, type ElementwiseParams, Opcode, Storage } from '../build/kernels.js';
import { isAtMost, isSame } from '../src/graph/guards.js';
import { ceilDivide, modulo, multiply, product, type Size } from '../src/graph/sizes.js';
import type { Fields } from './parameters.js';
import type { Pointer } from './place.js';
import { collapse } from './space.js';

export type Register = 'F32' | 'I32' | 'I64' | 'F64';
export type StorageName = keyof typeof Storage;
export type OpcodeName = keyof typeof Opcode;

/** A tensor read over the chain's space: `strides` in elements per dimension of the space, 0 where it is broadcast. */
export interface TensorOperand {
  readonly pointer: Pointer;
  readonly storage: StorageName;
  readonly strides: readonly Size[];
  /** Element of the tensor that the space starts at. */
  readonly offset?: number;
}

/** A constant; in I64 it may be a bigint. */
export interface ConstantOperand {
  readonly value: number | bigint;
}

/** `args` are numbers of values: 0 … operands − 1 are the operands, followed by the instructions' results in order. */
export interface ElementwiseInstruction {
  readonly op: OpcodeName;
  readonly args: readonly number[];
  readonly alpha?: number | bigint;
  readonly beta?: number | bigint;
}

/** A value stored densely over the space. It may overlap a dense operand of the same element size. */
export interface ElementwiseOutput {
  readonly pointer: Pointer;
  readonly storage: StorageName;
  readonly value: number;
}

/** Elementwise operations over one space `dims`, run in one pass. */
export interface ElementwiseChain {
  readonly register: Register;
  readonly dims: readonly Size[];
  readonly operands: readonly (TensorOperand | ConstantOperand)[];
  readonly instructions: readonly ElementwiseInstruction[];
  readonly outputs: readonly ElementwiseOutput[];
}

/** A launch. The planner allocates `table` and sets `params.table` to its address. */
export interface ElementwiseLaunch {
  readonly kernel: `elementwise${Register}`;
  readonly params: Omit<Fields<ElementwiseParams>, 'table'>;
  /** 32-bit words, little endian; anything that is not a number is a pointer. */
  readonly table: readonly (Size | Pointer)[];
  readonly tiles: Size;
}

const NATIVE: Record<Register, readonly StorageName[]> = {
  F32: ['Float32'],
  I32: ['Int32'],
  I64: ['Int64', 'Uint64'],
  F64: ['Float64'],
};

/** The most dimensions that one launch supports. */
export const MAX_CHAIN_RANK = Elementwise.MAX_RANK;

/** The longest chain that one launch supports. */
export const MAX_CHAIN_VALUES = Elementwise.MAX_VALUES;

type Space = ReturnType<typeof collapse<Size>>;

export function planElementwise(chain: ElementwiseChain): ElementwiseLaunch {
  const { register, operands } = chain;
  const strides = operands.flatMap((o) => ('pointer' in o ? [o.strides] : []));
  const space = collapse(chain.dims, strides);
  const count = product(space.dims);
  const program = isConversion(chain, space)
    ? { ...chain, instructions: [], outputs: stored(chain) }
    : withCopies(chain);
  const { slots, direct, registers } = allocateRegisters(program);

  const table: (Size | Pointer)[] = [...space.dims];
  let tensor = 0;
  for (const o of operands) {
    if ('value' in o) {
      table.push(0, 0, Access.Immediate, 1, ...constantWords(register, o.value), 0, 0, ...space.dims.map(() => 0));
      continue;
    }
    const own = space.strides[tensor++] as Size[];
    const { access, period } = accessOf(space.dims, own, register);
    table.push(o.pointer, Storage[o.storage], access, period, 0, 0, o.offset ?? 0, 0, ...own);
  }
  for (const [i, { op, args, alpha = 0, beta = 0 }] of program.instructions.entries()) {
    const [a = 0, b = a, c = a] = args.map((v) => slots[v] as number);
    const y = slots[operands.length + i] as number;
    table.push(Opcode[op], y, a, b, c, 0, ...constantWords(register, alpha), ...constantWords(register, beta));
  }
  for (const [i, { pointer, storage, value }] of program.outputs.entries())
    table.push(pointer, Storage[storage], slots[value] as number, direct[i] ? 1 : 0);

  if (operands.length + registers > MAX_CHAIN_VALUES || space.dims.length > Elementwise.MAX_RANK)
    throw new Error(`elementwise chain of ${operands.length + registers} values, rank ${space.dims.length}`);
  return {
    kernel: `elementwise${register}`,
    params: {
      count,
      rank: space.dims.length,
      operands: operands.length,
      registers,
      instructions: program.instructions.length,
      outputs: program.outputs.length,
      block: blockOf(space, register),
    },
    table,
    tiles: ceilDivide(count, Elementwise.TILE),
  };
}

const elementsInBlock = (register: Register) => Elementwise.BLOCK_BYTES / (register.endsWith('64') ? 8 : 4);

/** Half a block if a row is an odd number of half blocks: one value per row is then one value per block. */
function blockOf({ dims, strides }: Space, register: Register): number {
  const block = elementsInBlock(register);
  const perRow = dims.length > 1 && strides.some((s) => isSame(s.at(-1) as Size, 0));
  return perRow && isSame(modulo(dims.at(-1) as Size, block), block / 2) ? block / 2 : block;
}

function accessOf(
  dims: readonly Size[],
  strides: readonly Size[],
  register: Register,
): { access: Access; period: Size } {
  const inner = strides.findLastIndex((s, d) => !isSame(s, 0) && !isSame(dims[d] as Size, 1));
  if (inner < 0) return { access: Access.Periodic, period: 1 };
  let dense = true;
  let step: Size = 1;
  for (let d = dims.length - 1; d >= 0; d--) {
    dense &&= isSame(strides[d] as Size, step);
    step = multiply(step, dims[d] as Size);
  }
  if (dense) return { access: Access.Dense, period: 0 };
  const outer = strides.findIndex((s) => !isSame(s, 0));
  const period = product(dims.slice(outer));
  const limit = elementsInBlock(register);
  if (outer > 0 && isAtMost(period, limit)) return { access: Access.Periodic, period };
  return { access: Access.Strided, period: 0 };
}

/** Whether the chain only stores a dense operand in another type than the register's: its block then needs no Copy. */
function isConversion(chain: ElementwiseChain, { dims, strides }: Space): boolean {
  const { register, operands, instructions, outputs } = chain;
  if (operands.length !== 1 || outputs.length !== 1 || instructions.length > 1) return false;
  if (instructions.some(({ op }) => op !== 'Copy') || strides.length !== 1) return false;
  const [{ storage }] = outputs as [ElementwiseOutput];
  return !NATIVE[register].includes(storage) && accessOf(dims, strides[0] as Size[], register).access === Access.Dense;
}

const stored = ({ outputs }: ElementwiseChain) => outputs.map((output) => ({ ...output, value: 0 }));

/** Adds a Copy for outputs that are an operand, or a value that another output already stores. */
function withCopies(chain: ElementwiseChain): ElementwiseChain {
  const instructions = [...chain.instructions];
  const stored = new Set<number>();
  const outputs = chain.outputs.map((output) => {
    const own = output.value >= chain.operands.length && !stored.has(output.value);
    stored.add(output.value);
    if (own) return output;
    instructions.push({ op: 'Copy', args: [output.value] });
    return { ...output, value: chain.operands.length + instructions.length - 1 };
  });
  return { ...chain, instructions, outputs };
}

/**
 * Linear scan: a register is free after its value's last use. An output of the register's own storage is written directly, in a register of
 * its own, if no later instruction reads an operand: it may share an operand's memory.
 */
function allocateRegisters({ register, operands, instructions, outputs }: ElementwiseChain) {
  const first = operands.length;
  const lastUse = new Map<number, number>();
  for (const [i, { args }] of instructions.entries()) for (const v of args) lastUse.set(v, i);
  for (const { value } of outputs) lastUse.set(value, Number.POSITIVE_INFINITY);
  const lastOperandRead = instructions.findLastIndex(({ args }) => args.some((v) => v < first));
  const direct = outputs.map((o) => NATIVE[register].includes(o.storage) && o.value - first >= lastOperandRead);
  const own = new Set(outputs.filter((_, i) => direct[i]).map((o) => o.value));

  const slots = operands.map((_, i) => i);
  const free: number[] = [];
  let next = first;
  for (const [i, { args }] of instructions.entries()) {
    const value = first + i;
    for (const v of new Set(args)) if (v >= first && lastUse.get(v) === i) free.push(slots[v] as number);
    slots[value] = own.has(value) ? next++ : (free.pop() ?? next++);
    if (!lastUse.has(value)) free.push(slots[value] as number);
  }
  return { slots, direct, registers: next - first };
}

const bits = new DataView(new ArrayBuffer(8));

function constantWords(register: Register, value: number | bigint): [number, number] {
  bits.setBigUint64(0, 0n);
  if (register === 'F32') bits.setFloat32(0, Number(value), true);
  else if (register === 'F64') bits.setFloat64(0, Number(value), true);
  else if (register === 'I32') bits.setInt32(0, Number(value), true);
  else bits.setBigInt64(0, BigInt(value), true);
  return [bits.getInt32(0, true), bits.getInt32(4, true)];
}
