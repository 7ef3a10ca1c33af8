import { storeLanes } from './lanes';
import { exp } from './math/exp';
import { log } from './math/log';
import { madd } from './math/madd';

/**
 * Local response normalization across channels: y[c] = x[c] / (bias + alpha/size · Σ x[i]²)^beta over the channels
 * c − floor((size − 1)/2) ≤ i ≤ c + ceil((size − 1)/2) that exist. x and y [pixels][channels].
 * A tile is `tilePixels` pixels: tiles = ceil(pixels / tilePixels).
 */
@unmanaged
export class LrnParams {
  x: usize = 0;
  y: usize = 0;
  pixels: i32 = 0;
  channels: i32 = 0;
  size: i32 = 0;
  alpha: f32 = 0;
  beta: f32 = 0;
  bias: f32 = 0;
  tilePixels: i32 = 0;
}

export function lrn(p: LrnParams, begin: i32, end: i32): void {
  const bytes = <usize>p.channels << 2;
  const to = min(end * p.tilePixels, p.pixels);
  const before = (p.size - 1) / 2;
  const after = p.size - 1 - before;
  for (let pixel = begin * p.tilePixels; pixel < to; pixel++) {
    const x = p.x + <usize>pixel * bytes;
    const y = p.y + <usize>pixel * bytes;
    let c = 0;
    for (; c < min(before, p.channels); c++) atEdge(p, x, y, c, before, after);
    for (; c + 4 + after <= p.channels; c += 4) {
      const at = <usize>c << 2;
      v128.store(y + at, damp(p, v128.load(x + at), sumOfSquares(x + at - (<usize>before << 2), p.size)));
    }
    for (; c < p.channels; c++) atEdge(p, x, y, c, before, after);
  }
}

@inline
function sumOfSquares(window: usize, size: i32): v128 {
  let sum = f32x4.splat(0);
  for (; size > 0; size--, window += 4) {
    const v = v128.load(window);
    sum = madd(v, v, sum);
  }
  return sum;
}

/** One channel whose window is clipped; same operations in the same order as for four at a time. */
function atEdge(p: LrnParams, x: usize, y: usize, c: i32, before: i32, after: i32): void {
  let sum = f32x4.splat(0);
  for (let i = max(0, c - before); i <= min(p.channels - 1, c + after); i++) {
    const v = v128.load32_splat(x + (<usize>i << 2));
    sum = madd(v, v, sum);
  }
  storeLanes(y + (<usize>c << 2), damp(p, v128.load32_splat(x + (<usize>c << 2)), sum), 1);
}

@inline
function damp(p: LrnParams, v: v128, sum: v128): v128 {
  const base = madd(sum, f32x4.splat(p.alpha / <f32>p.size), f32x4.splat(p.bias));
  if (p.beta == 0.75) {
    const root = f32x4.sqrt(base);
    return f32x4.div(v, f32x4.mul(root, f32x4.sqrt(root)));
  }
  return f32x4.mul(v, exp(f32x4.mul(log(base), f32x4.splat(-p.beta))));
}
