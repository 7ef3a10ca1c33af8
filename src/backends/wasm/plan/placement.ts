import type { Buffer } from './places.js';

const ALIGNMENT = 64;
const aligned = (bytes: number) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/**
 * Gives every buffer an offset so that buffers alive at the same time do not overlap: largest first, each into the
 * lowest gap that fits. Buffers that have an offset already keep it. `guardBytes`, a multiple of 64, stay free on either
 * side of every buffer. Returns the bytes the arena needs.
 */
export function placeBuffers(buffers: readonly Buffer[], guardBytes = 0): number {
  const byOffset = buffers.filter((b) => b.offset >= 0).sort((a, b) => a.offset - b.offset);
  const waiting = buffers.filter((b) => b.offset < 0).sort((a, b) => b.capacity - a.capacity || a.first - b.first);
  for (const buffer of waiting) {
    buffer.offset = lowestGap(buffer, byOffset, guardBytes);
    byOffset.splice(positionOf(buffer.offset, byOffset), 0, buffer);
  }
  return buffers.reduce((peak, b) => Math.max(peak, b.offset + aligned(b.capacity) + guardBytes), 0);
}

function lowestGap(buffer: Buffer, byOffset: readonly Buffer[], guardBytes: number): number {
  const { first, last } = buffer;
  const size = aligned(buffer.capacity);
  let offset = guardBytes;
  for (const rival of byOffset) {
    if (rival.first > last || first > rival.last) continue;
    if (rival.offset - 2 * guardBytes >= offset + size) break;
    offset = Math.max(offset, rival.offset + aligned(rival.capacity) + 2 * guardBytes);
  }
  return offset;
}

/** The index of a buffer at `offset` among the sorted ones. */
function positionOf(offset: number, byOffset: readonly Buffer[]): number {
  let [low, high] = [0, byOffset.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((byOffset[middle] as Buffer).offset < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The largest total size of buffers alive at one time; no placement needs less. */
export function lowerBound(buffers: readonly Buffer[]): number {
  const events = buffers.flatMap((b) => [
    { at: b.first, bytes: aligned(b.bytes) },
    { at: b.last + 0.5, bytes: -aligned(b.bytes) },
  ]);
  events.sort((a, b) => a.at - b.at);
  let live = 0;
  let peak = 0;
  for (const event of events) {
    live += event.bytes;
    peak = Math.max(peak, live);
  }
  return peak;
}
