import { ceilDiv } from '../ceil-div';
import { attendBlock } from './block';
import { AttentionParams, AttentionTile } from './params';
import { attendRow } from './row';

/** With fewer query rows, one row at a time is faster than a block with padded lanes (38 to 40 against 30 to 37 GFLOP/s, Zen 5). */
const BLOCK_FROM: i32 = 12;

export function attention(p: AttentionParams, begin: i32, end: i32): void {
  const blocks = ceilDiv(p.queryLength, AttentionTile.QueryRows);
  // Blocks of nearly equal size, with whole vectors of queries in all but the last.
  const size = (ceilDiv(p.queryLength, blocks) + 7) & ~7;
  for (let tile = begin; tile < end; tile++) {
    const batch = tile / blocks / p.heads, head = (tile / blocks) % p.heads;
    const first = (tile % blocks) * size;
    const rows = min(size, p.queryLength - first);
    if (rows >= BLOCK_FROM) attendBlock(p, batch, head, first, rows);
    else for (let row = 0; row < rows; row++) attendRow(p, batch, head, first + row);
  }
}
