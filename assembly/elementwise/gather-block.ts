import { copyRun, fillRun, stridedRun } from '../copy-run';

/**
 * Copies elements from…from+count of a space (`dims`, outermost first) from an operand at `x` with `strides` in elements. `index` is
 * scratch for one word per dimension.
 */
export function gatherBlock<S>(
  y: usize, x: usize, dims: usize, strides: usize, rank: i32, from: usize, count: usize, index: usize,
): void {
  const last = <usize>(rank - 1) << 2;
  for (let at = last, rest = from; ; at -= 4) {
    const dim = <usize>load<u32>(dims + at);
    const i = rest % dim;
    store<u32>(index + at, <u32>i);
    x += i * <usize>load<i32>(strides + at) * sizeof<S>();
    rest /= dim;
    if (at == 0) break;
  }
  const inner = <usize>load<u32>(dims + last);
  const stride = load<i32>(strides + last);
  const step = <usize>stride * sizeof<S>();
  let column = <usize>load<u32>(index + last);
  while (true) {
    const run = min(inner - column, count);
    if (stride == 1) copyRun<S>(y, x, run);
    else if (stride == 0) fillRun<S>(y, x, run);
    else stridedRun<S>(y, sizeof<S>(), x, step, run);
    count -= run;
    if (count == 0) return;
    y += run * sizeof<S>();
    x -= column * step;
    column = 0;
    for (let at = last - 4; ; at -= 4) {
      const outer = <usize>load<i32>(strides + at) * sizeof<S>();
      const i = load<u32>(index + at) + 1;
      x += outer;
      if (i < load<u32>(dims + at)) {
        store<u32>(index + at, i);
        break;
      }
      store<u32>(index + at, 0);
      x -= outer * <usize>i;
    }
  }
}
