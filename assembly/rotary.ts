import { indexAt } from './indices';

/**
 * Rotary embedding: y = x, [batch · rows] rows of `heads` heads of `size` columns, with pairs of the first `width` columns rotated by the
 * angles in row positions[batch · positionStride + row] (i64) of cos and sin [angleRows, width / 2]. The columns of a pair are half of
 * `width` apart, or adjacent if `interleaved`. Strides are in elements, batches without gaps. The word at `flag` becomes 1 if a position is
 * out of range. y may be x. A tile is `tileRows` rows; tiles = ceil(batch · rows / tileRows).
 */
@unmanaged
export class RotaryParams {
  x: usize = 0;
  y: usize = 0;
  cos: usize = 0;
  sin: usize = 0;
  positions: usize = 0;
  flag: usize = 0;
  positionStride: u32 = 0;
  angleRows: u32 = 0;
  batch: u32 = 0;
  rows: u32 = 0;
  heads: i32 = 0;
  size: u32 = 0;
  width: u32 = 0;
  rowStride: u32 = 0;
  headStride: u32 = 0;
  interleaved: i32 = 0;
  tileRows: u32 = 0;
}

export function rotary(p: RotaryParams, begin: i32, end: i32): void {
  const last = min(<u32>end * p.tileRows, p.batch * p.rows);
  const headBytes = (<usize>p.headStride) << 2, angleBytes = (<usize>p.width) << 1;
  for (let row = <u32>begin * p.tileRows; row < last; row++) {
    const batch = row / p.rows, own = row - batch * p.rows;
    let at = (<usize>batch * p.rows * p.heads * p.size + <usize>own * p.rowStride) << 2;
    const angles = indexAt(p.positions, batch * p.positionStride + own, 8, p.angleRows, p.flag) * angleBytes;
    for (let head = p.heads; head; head--, at += headBytes) {
      if (p.interleaved) turnNeighbours(p.x + at, p.y + at, p.cos + angles, p.sin + angles, angleBytes);
      else turnHalves(p.x + at, p.y + at, p.cos + angles, p.sin + angles, angleBytes);
      const rest = (<usize>p.size - p.width) << 2;
      if (rest && p.x != p.y) memory.copy(p.y + at + 2 * angleBytes, p.x + at + 2 * angleBytes, rest);
    }
  }
}

function turnHalves(x: usize, y: usize, cos: usize, sin: usize, half: usize): void {
  let i: usize = 0;
  for (; i + 16 <= half; i += 16) {
    const a = v128.load(x + i), b = v128.load(x + i + half), c = v128.load(cos + i), s = v128.load(sin + i);
    v128.store(y + i, f32x4.sub(f32x4.mul(c, a), f32x4.mul(s, b)));
    v128.store(y + i + half, f32x4.add(f32x4.mul(s, a), f32x4.mul(c, b)));
  }
  for (; i < half; i += 4) {
    const a = load<f32>(x + i), b = load<f32>(x + i + half), c = load<f32>(cos + i), s = load<f32>(sin + i);
    store<f32>(y + i, c * a - s * b);
    store<f32>(y + i + half, s * a + c * b);
  }
}

function turnNeighbours(x: usize, y: usize, cos: usize, sin: usize, half: usize): void {
  for (let i: usize = 0; i < half; i += 4) {
    const a = load<f32>(x + 2 * i), b = load<f32>(x + 2 * i, 4), c = load<f32>(cos + i), s = load<f32>(sin + i);
    store<f32>(y + 2 * i, c * a - s * b);
    store<f32>(y + 2 * i, s * a + c * b, 4);
  }
}
