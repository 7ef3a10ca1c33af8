import { intAttribute } from '../../../graph/attributes.js';
import type { Value } from '../../../graph/graph.js';
import type { Decomposition } from '../../../schema/definition.js';
import { int64List } from '../../constants.js';
import { throughFloat32 } from '../../through-float32.js';

interface RotaryAttributes {
  readonly interleaved: number;
  readonly num_heads: number;
  readonly rotary_embedding_dim: number;
}

const [COS, SIN, POSITIONS] = [1, 2, 3];

type Context = Decomposition<RotaryAttributes>;

/** Columns from…to of the last axis, with a step. */
function columns(c: Context, x: Value, from: number, to: number, step = 1): Value {
  const list = (value: number) => c.constant(int64List([value]));
  return c.emit('Slice', [x, list(from), list(to), list(-1), list(step)])[0] as Value;
}

/** Cosines or sines of every position, broadcast over the heads on axis `headAxis`. */
function angles(c: Context, i: number, headAxis: number): Value {
  const own = c.given(POSITIONS) ? (c.emit('Gather', [c.input(i), c.input(POSITIONS)])[0] as Value) : c.input(i);
  return c.emit('Unsqueeze', [own, c.constant(int64List([headAxis]))])[0] as Value;
}

/** Rotates pairs of the first `width` columns of x by their angles. */
function rotate(c: Context, x: Value, width: number, headAxis: number): Value {
  const half = width / 2;
  const interleaved = c.attributes.interleaved !== 0;
  const a = interleaved ? columns(c, x, 0, width, 2) : columns(c, x, 0, half);
  const b = interleaved ? columns(c, x, 1, width, 2) : columns(c, x, half, width);
  const [cos, sin] = [angles(c, COS, headAxis), angles(c, SIN, headAxis)];
  const emit = (operator: string, left: Value, right: Value) => c.emit(operator, [left, right])[0] as Value;
  const real = emit('Sub', emit('Mul', cos, a), emit('Mul', sin, b));
  const imaginary = emit('Add', emit('Mul', sin, a), emit('Mul', cos, b));
  if (!interleaved) return c.emit('Concat', [real, imaginary], { axis: intAttribute(-1) })[0] as Value;
  const last = c.constant(int64List([-1]));
  const pairs = [real, imaginary].map((part) => emit('Unsqueeze', part, last));
  const [joined] = c.emit('Concat', pairs, { axis: intAttribute(-1) }) as [Value];
  return emit('Reshape', joined, c.constant(int64List([0, 0, 0, width])));
}

/** Heads of `size` columns; the first `width` are rotated. */
interface Heads {
  readonly x: Value;
  readonly axis: number;
  readonly size: number;
  readonly width: number;
}

function turnedInParts(c: Context, { x, axis, size, width }: Heads): Value {
  const whole = rotate(c, x, width, axis);
  if (width === size) return whole;
  return c.emit('Concat', [whole, columns(c, x, width, size)], { axis: intAttribute(-1) })[0] as Value;
}

/** Uses the primitive if positions index a table. */
function turned(c: Context, heads: Heads): Value {
  const isTable = c.given(POSITIONS) && c.dims(COS)?.length === 2 && c.dims(COS)?.[1] === heads.width / 2;
  if (!isTable) return turnedInParts(c, heads);
  const attributes = { head_axis: intAttribute(heads.axis), interleaved: intAttribute(c.attributes.interleaved) };
  const inputs = [heads.x, c.input(COS), c.input(SIN), c.input(POSITIONS)];
  return c.emit('sardonyx:RotaryEmbedding', inputs, attributes)[0] as Value;
}

/** Applies `turn` in float32 or float64, with the heads on their own axis. */
function spelled(c: Context, turn: (c: Context, heads: Heads) => Value): Value[] | undefined {
  const dims = c.dims(0);
  const flat = dims?.length === 3;
  if (dims && !flat && dims.length !== 4) c.fail('INVALID_SHAPE', `X must have rank 3 or 4, not [${dims}]`);
  const { num_heads, rotary_embedding_dim } = c.attributes;
  const columns = dims?.at(-1);
  if (!dims || typeof columns !== 'number') return undefined;
  const widened = throughFloat32(c);
  if (widened) return widened;
  if (flat && !num_heads) return c.fail('INVALID_ATTRIBUTE', 'an input of rank 3 needs num_heads');
  const size = flat ? columns / num_heads : columns;
  const width = rotary_embedding_dim || size;
  if (width % 2 !== 0 || size % 1 !== 0 || width > size)
    c.fail('INVALID_SHAPE', `cannot rotate ${width} of ${size} columns per head of [${dims}]`);
  if (!flat) return [turn(c, { x: c.input(0), axis: 1, size, width })];
  const [x] = c.emit('Reshape', [c.input(0), c.constant(int64List([0, 0, num_heads, size]))]) as [Value];
  return c.emit('Reshape', [turn(c, { x, axis: 2, size, width }), c.constant(int64List([0, 0, columns]))]);
}

/** Rotates, with the primitive if possible. */
export const rotated = (c: Context) => spelled(c, turned);

/** Rotates with the operators of the definition, which have gradients. */
export const rotatedInParts = (c: Context) => spelled(c, turnedInParts);
