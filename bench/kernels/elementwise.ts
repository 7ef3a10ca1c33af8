import { type ElementwiseInstruction, type OpcodeName, planElementwise } from '../../bindings/elementwise.js';
import { type CopyDescription, planStridedCopy } from '../../bindings/strided-copy.js';
import type { ElementwiseParams } from '../../build/kernels.js';
import { broadcastStrides } from '../../src/graph/dims.js';
import { type Case, type Engine, floats } from './measure.js';

const product = (dims: readonly number[]) => dims.reduce((a, b) => a * b, 1);

function placeTable(engine: Engine, table: readonly unknown[]): number {
  const at = engine.allocate(4 * table.length);
  engine.i32.set(table as number[], at / 4);
  return at;
}

/** A chain over tensors of the given shapes, broadcast to `dims`, with one output. */
const chain = (name: string, dims: number[], shapes: number[][], instructions: ElementwiseInstruction[]): Case => ({
  name,
  bytes: 4 * (product(dims) + shapes.reduce((sum, shape) => sum + product(shape), 0)),
  prepare(engine) {
    const tensors = shapes.map((shape) => ({
      pointer: floats(engine, product(shape)),
      storage: 'Float32' as const,
      strides: broadcastStrides(shape, dims),
    }));
    const output = { pointer: floats(engine, product(dims)), storage: 'Float32' as const };
    const operands = [...tensors, { value: 0.5 }];
    const value = operands.length + instructions.length - 1;
    const launch = planElementwise({ register: 'F32', dims, operands, instructions, outputs: [{ ...output, value }] });
    const params = { ...launch.params, table: placeTable(engine, launch.table) };
    return () => engine.launch(launch.kernel, params as ElementwiseParams, launch.tiles as number);
  },
});

const MAP = [56 * 56, 256];
const unary = (op: OpcodeName): Case => chain(`elementwise ${op}`, MAP, [MAP], [{ op, args: [0], beta: 6 }]);

type Space = Omit<CopyDescription, 'x' | 'y' | 'elementBytes'>;

const copy = (name: string, space: Space): Case => ({
  name,
  bytes: 8 * product(space.dims as number[]),
  prepare(engine) {
    const [x, y] = [floats(engine, 1 << 22), floats(engine, 1 << 22)];
    const launch = planStridedCopy({ ...space, x, y, elementBytes: 4 });
    const table = placeTable(engine, launch.table);
    const params = { ...launch.params, table } as never;
    return () => engine.launch(launch.kernel, params, launch.tiles as number);
  },
});

function transposition(name: string, shape: number[], perm: number[]): Case {
  const dims = perm.map((d) => shape[d] as number);
  const strides = broadcastStrides(shape, shape);
  return copy(name, { dims, xStrides: perm.map((d) => strides[d] as number), yStrides: broadcastStrides(dims, dims) });
}

export const cases: Case[] = [
  chain('elementwise Add', MAP, [MAP, MAP], [{ op: 'Add', args: [0, 1] }]),
  chain('elementwise Add, channel vector of 256', MAP, [MAP, [256]], [{ op: 'Add', args: [0, 1] }]),
  chain('elementwise Add, channel vector of 3', [224 * 224, 3], [[224 * 224, 3], [3]], [{ op: 'Add', args: [0, 1] }]),
  chain('elementwise Mul, one per row', MAP, [MAP, [MAP[0] as number, 1]], [{ op: 'Mul', args: [0, 1] }]),
  ...(['Clip', 'Sigmoid', 'Silu', 'GeluErf', 'GeluTanh', 'Tanh', 'Exp', 'Log', 'Sin'] as const).map(unary),
  chain(
    'elementwise chain of 4',
    MAP,
    [MAP, MAP],
    [
      { op: 'Mul', args: [0, 2] },
      { op: 'Add', args: [3, 2] },
      { op: 'Mul', args: [4, 1] },
      { op: 'Clip', args: [5], alpha: 0, beta: 6 },
    ],
  ),
  transposition('NCHW to NHWC 3×224²', [3, 224 * 224], [1, 0]),
  transposition('NHWC to NCHW 3×224²', [224 * 224, 3], [1, 0]),
  transposition('NCHW to NHWC 64×56²', [64, 56 * 56], [1, 0]),
  transposition('NHWC to NCHW 64×56²', [56 * 56, 64], [1, 0]),
  transposition('NHWC to NCHW 2048×7²', [49, 2048], [1, 0]),
  transposition('transpose 1024²', [1024, 1024], [1, 0]),
  transposition('heads 512×12×64', [512, 12, 64], [1, 0, 2]),
  transposition('keys 512×12×64', [512, 12, 64], [1, 2, 0]),
  transposition('channel shuffle 28²×2×58', [28 * 28, 2, 58], [0, 2, 1]),
  transposition('depth to space 64²×4×16', [64, 64, 2, 2, 16], [0, 2, 1, 3, 4]),
  copy('concat of 64 into 128 channels', { dims: [56 * 56, 64], xStrides: [64, 1], yStrides: [128, 1] }),
];
