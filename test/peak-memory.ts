import { existsSync, readFileSync } from 'node:fs';

const STATUS = '/proc/self/status';
const isLinux = existsSync(STATUS);

/**
 * Megabytes that this process has had at most. Linux lets a new process begin with the `maxRSS` of the one that started it; its
 * own highest mark is VmHWM.
 */
export function peakMegabytes(): number {
  if (!isLinux) return process.resourceUsage().maxRSS / 1024;
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(STATUS, 'latin1'))?.[1]) / 1024;
}
