import { scratch } from './program';

/** Milliseconds by a clock that all threads read. */
// @ts-ignore: decorator
@external('env', 'now')
declare function now(): f64;

/** What one thread does of a step. Each writes to lines of its own; whose it is says the thread's scratch block, 0 the caller's. */
@unmanaged
class Share {
  scratch: u32 = 0;
  tiles: i32 = 0;
  begin: f64 = 0;
  end: f64 = 0;
}

export const enum ShareLayout {
  Bytes = 64,
  Tiles = 4,
  Begin = 8,
  End = 16,
}

/** Another kernel, whose threads note what they do. The share of scratch 0 is the last. */
@unmanaged
class TimedTile {
  kernel: u32 = 0;
  params: usize = 0;
  shares: usize = 0;
}

export function timed(tile: TimedTile, begin: i32, end: i32): void {
  let at = tile.shares;
  while (load<u32>(at) != 0 && load<u32>(at) != <u32>scratch) at += ShareLayout.Bytes;
  const share = changetype<Share>(at);
  const started = now();
  call_indirect<void>(tile.kernel, tile.params, begin, end);
  if (share.tiles == 0) share.begin = started;
  share.tiles += end - begin;
  share.end = now();
}
