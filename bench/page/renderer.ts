import { readFileSync } from 'node:fs';
import type { Browser, DevTools } from '../../test/platforms/chromium.js';
import { processes } from './visit.js';

/** Bytes. */
export interface PeakMemory {
  /** Resident, files of Chromium included, which other processes map too. */
  readonly resident: number;
  /** What no other process maps. */
  readonly own: number;
}

const SAMPLE_MILLISECONDS = 4;

/** The memory of a browser's largest page while `work` goes on: Chromium keeps a spare process, which is small. Linux only. */
export async function peakMemory(browser: Browser, work: () => Promise<unknown>): Promise<PeakMemory> {
  const tools = await browser.newBrowserCDPSession();
  let pids = await pagesOf(tools);
  let own = 0;
  const sample = () => {
    own = Math.max(own, ...pids.map((pid) => bytes(pid, 'smaps_rollup', /Private_(?:Clean|Dirty): +(\d+)/g)));
  };
  const sampling = setInterval(sample, SAMPLE_MILLISECONDS);
  try {
    await work();
    pids = await pagesOf(tools);
    sample();
  } finally {
    clearInterval(sampling);
  }
  return { resident: Math.max(...pids.map((pid) => bytes(pid, 'status', /VmHWM:\s+(\d+)/g))), own };
}

/** Renderers, but for that of the browser's own windows. */
async function pagesOf(tools: DevTools): Promise<number[]> {
  const renderers = (await processes(tools)).filter(({ type }) => type === 'renderer');
  return renderers.map(({ id }) => id).filter((id) => !readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('-webui'));
}

/** The sum of the fields of a process; 0 once it has ended. */
function bytes(pid: number, file: string, fields: RegExp): number {
  try {
    const text = readFileSync(`/proc/${pid}/${file}`, 'utf8');
    return [...text.matchAll(fields)].reduce((sum, [, kibibytes]) => sum + Number(kibibytes) * 1024, 0);
  } catch {
    return 0;
  }
}
