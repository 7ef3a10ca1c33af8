import type { Buffer } from './places.js';

const ALIGNMENT = 64;
const aligned = (bytes: number) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/**
 * Gives every buffer an offset so that buffers alive at the same time do not overlap: largest first, each into the
 * lowest gap that fits. Buffers that have an offset already keep it. Returns the bytes the arena needs.
 */
export function placeBuffers(buffers: readonly Buffer[]): number {
  const placed = buffers.filter((b) => b.offset >= 0);
  const waiting = buffers.filter((b) => b.offset < 0).sort((a, b) => b.bytes - a.bytes || a.first - b.first);
  for (const buffer of waiting) {
    buffer.offset = lowestGap(buffer, placed);
    placed.push(buffer);
  }
  return placed.reduce((peak, b) => Math.max(peak, b.offset + aligned(b.bytes)), 0);
}

function lowestGap(buffer: Buffer, placed: readonly Buffer[]): number {
  const rivals = placed
    .filter((b) => b.first <= buffer.last && buffer.first <= b.last)
    .sort((a, b) => a.offset - b.offset);
  let offset = 0;
  for (const rival of rivals) {
    if (rival.offset - offset >= aligned(buffer.bytes)) break;
    offset = Math.max(offset, rival.offset + aligned(rival.bytes));
  }
  return offset;
}

/** The largest sum of buffers alive at one time: no placement can need less. */
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
