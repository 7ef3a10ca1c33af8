/** y = table[x], bytes. A tile is ByteTable.Tile elements. */
@unmanaged
export class ByteTableParams {
  x: usize = 0;
  table: usize = 0;
  y: usize = 0;
  count: u32 = 0;
  /** 128 if x is signed: then the table begins with the value for −128. */
  flip: i32 = 0;
}

export const enum ByteTable {
  Tile = 16384,
}

export function byteTable(p: ByteTableParams, begin: i32, end: i32): void {
  const table = p.table, flip = <u64>p.flip * 0x0101010101010101;
  const first = <usize>begin * ByteTable.Tile;
  const count = min(<usize>end * ByteTable.Tile, <usize>p.count) - first;
  let x = p.x + first, y = p.y + first;
  for (const whole = y + (count & ~7); y < whole; x += 8, y += 8) {
    const eight = load<u64>(x) ^ flip;
    store<u8>(y, load<u8>(table + <usize>(eight & 255)));
    store<u8>(y, load<u8>(table + <usize>((eight >> 8) & 255)), 1);
    store<u8>(y, load<u8>(table + <usize>((eight >> 16) & 255)), 2);
    store<u8>(y, load<u8>(table + <usize>((eight >> 24) & 255)), 3);
    store<u8>(y, load<u8>(table + <usize>((eight >> 32) & 255)), 4);
    store<u8>(y, load<u8>(table + <usize>((eight >> 40) & 255)), 5);
    store<u8>(y, load<u8>(table + <usize>((eight >> 48) & 255)), 6);
    store<u8>(y, load<u8>(table + <usize>(eight >> 56)), 7);
  }
  for (const last = p.y + first + count; y < last; x++, y++) store<u8>(y, load<u8>(table + <usize>((<i32>load<u8>(x) ^ p.flip) & 255)));
}
