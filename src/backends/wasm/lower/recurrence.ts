import type { Place, Pointer } from '../../../../bindings/place.js';
import { MatMulTile, RecurrentActivation, RecurrentPhase, RecurrentTile } from '../../../../build/kernels.js';
import { isAtMost, isSame } from '../../../graph/guards.js';
import { ceilDivide, maximum, minimum, multiply, type Size } from '../../../graph/sizes.js';
import type { GateActivation } from '../../../primitives/recurrent-activations.js';
import { Input, type OpenRecurrence, type OpenRecurrent } from '../../../primitives/recurrent-shapes.js';
import { integers } from '../../../tensor/tensor-value.js';
import type { Effects, Lowering } from '../lowering.js';
import { packedInput } from './packed-input.js';
import { productTiles } from './product-tiles.js';
import { sumOfBiases } from './recurrent-bias.js';

/** X·Wᵀ + bias of all steps and directions as one product: [steps · batch, directions · gates · hidden]. */
function projectInput(c: Lowering, r: OpenRecurrence, bias: Pointer): Place {
  const m = multiply(r.steps, r.batch);
  const k = r.input;
  const n = r.directions * r.gates * r.hidden;
  const panels = Math.ceil(n / MatMulTile.Panel);
  const rest = { n, k, outer: 1, inner: 1, rowStride: 1, columnStride: k, outerStride: 0, innerStride: 0, alpha: 1 };
  const b = packedInput(c, Input.W, {
    kernel: 'packMatMulB',
    form: 'recurrent input',
    bytes: 4 * panels * MatMulTile.Panel * k,
    tiles: panels,
    params: (source, packed) => ({ b: source, packed, ...rest }),
  });
  const y = c.temporary(multiply(m, 4 * n));
  const still = {
    aOuterStride: 0,
    aInnerStride: 0,
    bOuterStride: 0,
    bInnerStride: 0,
    yOuterStride: 0,
    yInnerStride: 0,
    biasInnerStride: 0,
  };
  const noResidual = { residual: 0, residualRowStride: 0, residualOuterStride: 0, residualInnerStride: 0 };
  const noActivation = { activation: 0, alpha: 0, beta: 0 };
  const strides = { aRowStride: k, aColumnStride: 1, yRowStride: n };
  const size = { m, n, k, outer: 1, inner: 1 };
  const params = { ...still, ...noResidual, ...noActivation, ...strides, ...size, bias, a: c.input(Input.X), b, y };
  const { tileColumns, tiles } = productTiles(params);
  c.launch('matmul', { ...params, tileColumns }, tiles, { writes: [y] });
  return y;
}

const PANEL = 32;

/** Panels of one direction of packed recurrent weights. */
function panelsOf({ gates, hidden }: OpenRecurrence): number {
  const leading = Math.ceil(hidden / (PANEL / (gates === 3 ? 2 : gates)));
  return gates === 3 ? leading + Math.ceil(hidden / PANEL) : leading;
}

function packedR(c: Lowering, r: OpenRecurrence): Place {
  const { directions, gates, hidden } = r;
  const tiles = directions * panelsOf(r);
  return packedInput(c, Input.R, {
    kernel: 'packRecurrent',
    form: `recurrent ${gates}`,
    bytes: 4 * tiles * hidden * PANEL,
    tiles,
    params: (source, packed) => ({ r: source, packed, directions, gates, hidden }),
  });
}

/** Maximum hidden units in all rows of a tile, so that their states fit in scratch. */
const MOST_UNITS = 32768;

/**
 * Batch rows per tile: four together take 0.8 of the time that they take one by one. But two threads should each get a
 * tile.
 */
function rowsOfTile({ batch, hidden, directions }: OpenRecurrence): Size {
  const shared = ceilDivide(multiply(batch, directions), 2);
  const most = Math.min(RecurrentTile.Rows, Math.floor(MOST_UNITS / hidden));
  return maximum(1, minimum(minimum(shared, batch), most));
}

/**
 * Minimum multiply-adds of a phase whose units threads share: two microseconds of work, a part of which is spent at the
 * barrier after it.
 */
const WORTH_SHARING = 1 << 15;

/** Tiling of a launch: a tile is a sequence or, if there are fewer sequences than threads, some units of a step. */
interface Dealing {
  readonly tiles: Size;
  readonly effects: Effects;
  /** The states that threads share; 0: none. */
  readonly shared: Pointer;
}

function dealOut(c: Lowering, r: OpenRecurrent, directions: number): Dealing {
  const { batch, hidden, gates, steps } = r;
  const rows = rowsOfTile(r);
  const sequences = multiply(ceilDivide(batch, rows), directions);
  const writes = writtenOutputs(c);
  const phases = gates === 3 && !r.linearBeforeReset ? 2 : 1;
  const leastRows = (WORTH_SHARING * phases) / (gates * hidden ** 2);
  const isWorth = isAtMost(Math.ceil(leastRows), rows);
  if (!isWorth || isSame(steps, 0) || isAtMost(c.engine.threads, sequences))
    return { tiles: sequences, effects: { writes }, shared: 0 };
  const shared = c.temporary(multiply(batch, 4 * 4 * directions * PANEL * Math.ceil(hidden / PANEL)));
  const phase = RecurrentPhase.Tiles;
  const tiles = multiply(steps, phases * phase);
  return { tiles, effects: { writes: [...writes, shared], phase }, shared };
}

const shifted = (c: Lowering, place: Pointer, floats: Size): Pointer =>
  typeof place === 'number' ? place : c.at(place, multiply(floats, 4));

/** A run of directions with the same activations, for kernel fields that only some cells have. */
export interface Run {
  readonly activations: readonly GateActivation[];
  /** This run's states in `place`, which holds those of all directions. */
  state(place: Pointer): Pointer;
  /** This run's part of `place`, which has `floats` per direction. */
  direction(place: Pointer, floats: Size): Pointer;
}

export const optionalInput = (c: Lowering, i: number): Pointer => (c.given(i) ? c.input(i) : 0);
export const optionalOutput = (c: Lowering, i: number): Pointer => (c.wanted(i) ? c.output(i) : 0);

/**
 * Emits the projection of the input, then calls `launch` with the fields of RecurrentParams for each run of directions
 * that share their activations.
 */
export function lowerRecurrence(
  c: Lowering,
  r: OpenRecurrent,
  separate: number,
  launch: (params: ReturnType<typeof fieldsOf> & Pick<Dealing, 'shared'>, run: Run, dealing: Dealing) => void,
): void {
  const { activations, directions } = r;
  const gates = projectInput(c, r, c.given(Input.B) ? sumOfBiases(c, Input.B, r, separate) : 0);
  const packed = packedR(c, r);
  const alike = activations.every((own) => JSON.stringify(own) === JSON.stringify(activations[0]));
  for (let d = 0; d < directions; d += alike ? directions : 1) {
    const count = alike ? directions : 1;
    const own = activations[d] as readonly GateActivation[];
    const stateStride = r.batchFirst ? r.hidden : multiply(r.batch, r.hidden);
    const run: Run = {
      activations: own,
      state: (place) => shifted(c, place, multiply(stateStride, d)),
      direction: (place, floats) => shifted(c, place, multiply(floats, d)),
    };
    const dealing = dealOut(c, r, count);
    launch({ ...fieldsOf(c, r, gates, packed, run, d, count), shared: dealing.shared }, run, dealing);
  }
}

function fieldsOf(
  c: Lowering,
  r: OpenRecurrent,
  gates: Place,
  packed: Place,
  run: Run,
  first: number,
  directions: number,
) {
  const { steps, batch, hidden } = r;
  const rows = r.gates * hidden;
  const all = r.directions * rows;
  const [f, g = f] = run.activations as [GateActivation, GateActivation];
  const strides = r.batchFirst
    ? {
        gatesStepStride: all,
        gatesBatchStride: multiply(steps, all),
        yStepStride: r.directions * hidden,
        yBatchStride: multiply(steps, r.directions * hidden),
        yDirectionStride: hidden,
        stateBatchStride: r.directions * hidden,
        stateDirectionStride: hidden,
      }
    : {
        gatesStepStride: multiply(batch, all),
        gatesBatchStride: all,
        yStepStride: multiply(batch, r.directions * hidden),
        yBatchStride: hidden,
        yDirectionStride: multiply(batch, hidden),
        stateBatchStride: hidden,
        stateDirectionStride: multiply(batch, hidden),
      };
  return {
    ...strides,
    gates: run.direction(gates, rows),
    gatesDirectionStride: rows,
    packed: run.direction(packed, panelsOf(r) * hidden * PANEL),
    lengths: optionalInput(c, Input.lengths),
    flag: c.given(Input.lengths)
      ? c.guard(Input.lengths, (lengths, [most]) => wrongLength(integers(lengths), most as number), [steps])
      : 0,
    initialH: run.state(optionalInput(c, Input.initialH)),
    lastH: run.state(optionalOutput(c, 1)),
    y: run.direction(optionalOutput(c, 0), strides.yDirectionStride),
    steps,
    batch,
    hidden,
    directions,
    tileRows: rowsOfTile(r),
    reversed: r.reversed >> first,
    clip: r.clip,
    f: RecurrentActivation[f.name],
    fAlpha: f.alpha,
    fBeta: f.beta,
    g: RecurrentActivation[g.name],
    gAlpha: g.alpha,
    gBeta: g.beta,
  };
}

function wrongLength(lengths: readonly number[], steps: number): string {
  const at = lengths.findIndex((length) => length < 0 || length > steps);
  return `sequence length ${lengths[at]} at [${at}] is not one of 0 to ${steps}, the steps of X`;
}

/** The outputs that a launch writes. */
const writtenOutputs = (c: Lowering): Place[] =>
  Array.from({ length: c.outputCount }, (_, i) => i)
    .filter((i) => c.wanted(i))
    .map((i) => c.output(i));
