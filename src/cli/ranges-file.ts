import type { Ranges } from '../tools/index.js';
import { readBytes } from './read-file.js';
import { concerning } from './usage-error.js';

/** Reads the ranges that "calibrate" or onnxruntime wrote. */
export function readRanges(path: string): Promise<Ranges> {
  return concerning(`--ranges ${path}`, async () => {
    const { parseRanges } = await import('../tools/on-demand.js');
    return parseRanges(new TextDecoder().decode(readBytes(path)));
  });
}
