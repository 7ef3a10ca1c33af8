/**
 * Replaces rows starts[batch] + offset… of each of the [batch · heads] matrices of y, `pitch` rows apart, with the `fresh` rows of x
 * [batch, heads, fresh]. Rows are `rowBytes` long; starts are i32 or i64 by `indexBytes`. Unless all rows are among the first `length`,
 * none is written and the word at `flag` becomes 1. Tiles = ceil(batch · heads / tileMatrices).
 */
@unmanaged
export class WriteRowsParams {
  x: usize = 0;
  starts: usize = 0;
  y: usize = 0;
  flag: usize = 0;
  indexBytes: i32 = 0;
  offset: i32 = 0;
  batch: i32 = 0;
  heads: i32 = 0;
  fresh: u32 = 0;
  length: u32 = 0;
  pitch: u32 = 0;
  rowBytes: u32 = 0;
  tileMatrices: i32 = 0;
}

export function writeRows(p: WriteRowsParams, begin: i32, end: i32): void {
  const bytes = <usize>p.fresh * p.rowBytes, matrixBytes = <usize>p.pitch * p.rowBytes;
  const last = min(end * p.tileMatrices, p.batch * p.heads);
  for (let matrix = begin * p.tileMatrices; matrix < last; matrix++) {
    const at = <usize>(matrix / p.heads);
    const start = (p.indexBytes == 8 ? load<i64>(p.starts + (at << 3)) : <i64>load<i32>(p.starts + (at << 2))) + p.offset;
    if (start < 0 || start > <i64>p.length - <i64>p.fresh) {
      store<i32>(p.flag, 1);
      continue;
    }
    memory.copy(p.y + <usize>matrix * matrixBytes + <usize>start * p.rowBytes, p.x + <usize>matrix * bytes, bytes);
  }
}
