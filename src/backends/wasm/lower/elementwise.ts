import {
  type ConstantOperand,
  type OpcodeName as KernelOpcode,
  MAX_CHAIN_RANK,
  planElementwise,
  type StorageName,
  type TensorOperand,
} from '../../../../bindings/elementwise.js';
import type { Place } from '../../../../bindings/place.js';
import { walkedRank } from '../../../../bindings/space.js';
import { broadcastStrides } from '../../../graph/dims.js';
import type { Expression, OpcodeName } from '../../../graph/expression.js';
import { isSame } from '../../../graph/guards.js';
import { product } from '../../../graph/sizes.js';
import { elementwise } from '../../../primitives/elementwise.js';
import { givenInputs } from '../../../primitives/expression.js';
import { ELEMENTS, type ElementType } from '../../../tensor/element-types.js';
import { type Lowering, lowers } from '../lowering.js';

export const STORAGES: Partial<Record<ElementType, StorageName>> = {
  float32: 'Float32',
  float64: 'Float64',
  float16: 'Float16',
  bfloat16: 'BFloat16',
  int64: 'Int64',
  uint64: 'Uint64',
  int32: 'Int32',
  uint32: 'Uint32',
  int16: 'Int16',
  uint16: 'Uint16',
  int8: 'Int8',
  uint8: 'Uint8',
  bool: 'Bool',
};

/** The name of an operation; `never`, and so a type error below, if expressions and kernels do not have the same. */
type Operation = [OpcodeName, KernelOpcode] extends [KernelOpcode, OpcodeName] ? OpcodeName : never;

/** Operations with the same result bits for signed and unsigned integers: registers compute only these in uint64. */
const SIGNLESS: readonly Operation[] = [
  'Copy',
  'Add',
  'Sub',
  'Mul',
  'Equal',
  'Where',
  'BitNot',
  'BitAnd',
  'BitOr',
  'BitXor',
  'ShiftLeft',
];

/** Emits an expression as one launch; 'host' if no kernel supports its element types, rank or uint64 operations. */
function lowerExpression(c: Lowering, { register, constants, instructions }: Expression): 'host' | undefined {
  const dims = c.outputShape(0);
  const element = c.outputElement(0);
  const storage = STORAGES[element];
  if (!storage || walkedRank(dims) > MAX_CHAIN_RANK) return 'host';
  const isUnsigned = [element, ...givenInputs(c).map((i) => c.element(i))].includes('uint64');
  if (isUnsigned && !instructions.every(({ op }) => SIGNLESS.includes(op))) return 'host';
  const operands: (TensorOperand | ConstantOperand)[] = [];
  const reusable: Place[] = [];
  for (const i of givenInputs(c)) {
    const own = STORAGES[c.element(i)];
    if (!own) return 'host';
    const scalar = scalarOf(c, i);
    if (scalar !== undefined) {
      operands.push({ value: scalar });
      continue;
    }
    const place = c.input(i);
    operands.push({ pointer: place, storage: own, strides: broadcastStrides(c.shape(i), dims) });
    const inStep = isSame(product(c.shape(i)), product(dims));
    if (inStep && ELEMENTS[c.element(i)].bits === ELEMENTS[element].bits) reusable.push(place);
  }
  for (const value of constants) operands.push({ value: register === 'I64' ? BigInt(value) : value });
  const output = c.output(0);
  const last = operands.length + instructions.length - 1;
  const { kernel, params, table, tiles } = planElementwise({
    register,
    dims,
    operands,
    instructions,
    outputs: [{ pointer: output, storage, value: last }],
  });
  c.launch(kernel, { ...params, table: c.table(table) }, tiles, {
    writes: [output],
    inPlace: reusable.map((place) => [output, place] as const),
  });
}

/** The value of a constant with one element, if a register can hold it as an immediate. */
function scalarOf(c: Lowering, i: number): number | bigint | undefined {
  if (!c.isConstant(i) || !isSame(product(c.shape(i)), 1) || c.element(i).endsWith('float16')) return undefined;
  return c.contents(i)?.data[0] as number | bigint;
}

export const expressions = lowers(elementwise, lowerExpression);
