/** Sets `count` bytes at `y` to `value`; one tile is 64 KiB. */
@unmanaged
export class FillParams {
  y: usize = 0;
  count: u32 = 0;
  value: i32 = 0;
}

const TILE: u32 = 65536;

export function fill(p: FillParams, begin: i32, end: i32): void {
  const from = <u32>begin * TILE;
  const to = min(<u32>end * TILE, p.count);
  memory.fill(p.y + from, <u8>p.value, to - from);
}
