import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapCodeStatistics } from 'node:v8';
import { BroadcastChannel } from 'node:worker_threads';
import { linearBytes } from './memories.js';
import type { Tally } from './tally.js';

const MEBIBYTE = 2 ** 20;

/** What is read of the process at a moment, in MiB and milliseconds. */
export interface Sample {
  readonly minutes: number;
  readonly resident: number;
  readonly heap: number;
  /** Of the heap: what functions are compiled to, which goes on for as long as something new is done, or done often. */
  readonly code: number;
  readonly external: number;
  readonly arrayBuffers: number;
  /** Linear memory of sessions of this thread: those of workers have theirs in theirs. */
  readonly linear: number;
  readonly handles: number;
  readonly threads: number;
  readonly files: number;
  readonly p50: number;
  readonly p99: number;
  readonly runs: number;
  readonly aborts: number;
  readonly faults: number;
}

const requests = new BroadcastChannel('collect garbage');
requests.unref();

/** Two collections in all threads, and turns of the event loop in which what was collected lets go of what it held. */
async function collect(): Promise<void> {
  for (let i = 0; i < 2; i++) {
    requests.postMessage(null);
    globalThis.gc?.();
    await sleep(150);
  }
}

export async function sample(begin: number, { recent, runs, aborts, faults }: Tally): Promise<Sample> {
  await collect();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  const status = procfs('status');
  const read = {
    minutes: (performance.now() - begin) / 60_000,
    resident: (status.VmRSS ?? process.memoryUsage.rss() / 1024) / 1024,
    heap: heapUsed / MEBIBYTE,
    code: codeBytes() / MEBIBYTE,
    external: external / MEBIBYTE,
    arrayBuffers: arrayBuffers / MEBIBYTE,
    linear: linearBytes() / MEBIBYTE,
    handles: process.getActiveResourcesInfo().length,
    threads: status.Threads ?? 0,
    files: openFiles(),
    p50: recent.quantile(0.5),
    p99: recent.quantile(0.99),
    ...{ runs, aborts, faults: Object.values(faults).reduce((sum, count) => sum + count, 0) },
  };
  recent.clear();
  return read;
}

function codeBytes(): number {
  const { code_and_metadata_size: code, bytecode_and_metadata_size: bytecode } = getHeapCodeStatistics();
  return code + bytecode;
}

/** Numbers of a file of Linux about this process; none elsewhere. */
function procfs(file: string): Record<string, number> {
  try {
    const lines = readFileSync(`/proc/self/${file}`, 'utf8').matchAll(/^(\w+):\s*(\d+)/gm);
    return Object.fromEntries(Array.from(lines, ([, name, value]) => [name, Number(value)]));
  } catch {
    return {};
  }
}

function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}
