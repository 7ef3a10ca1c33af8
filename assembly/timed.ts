import { scratch } from './program';

/** Milliseconds of a clock that all threads share. */
// @ts-ignore: decorator
@external('env', 'now')
declare function now(): f64;

/** One thread's work on a step, on cache lines of its own. `scratch` identifies the thread by its scratch block; 0 is the caller. */
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

/** Calls another kernel, and records each thread's work. The share with scratch 0 is the last. */
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
