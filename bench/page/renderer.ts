import { readFileSync } from 'node:fs';
import type { Browser, DevTools } from '../../test/platforms/chromium.js';
import { type Process, processes } from './visit.js';

/** Bytes. */
export interface PeakMemory {
  /** Resident memory, including Chromium's files, which other processes map too. */
  readonly resident: number;
  /** Memory that no other process maps. */
  readonly own: number;
}

const SAMPLE_MILLISECONDS = 4;

/** The memory of a browser's page during `work`. Linux only. */
export async function peakMemory(browser: Browser, work: () => Promise<unknown>): Promise<PeakMemory> {
  const tools = await browser.newBrowserCDPSession();
  const pages = async () => (await pagesOf(tools)).map(({ id }) => id);
  let pids = await pages();
  let own = 0;
  const sample = () => {
    own = Math.max(own, ...pids.map((pid) => bytes(pid, 'smaps_rollup', /Private_(?:Clean|Dirty): +(\d+)/g)));
  };
  const sampling = setInterval(sample, SAMPLE_MILLISECONDS);
  try {
    await work();
    pids = await pages();
    sample();
  } finally {
    clearInterval(sampling);
  }
  return { resident: await peakResident(browser), own };
}

/** Peak resident bytes of a browser's page, including Chromium's files. Linux only. */
export async function peakResident(browser: Browser): Promise<number> {
  const pages = await pagesOf(await browser.newBrowserCDPSession());
  return Math.max(...pages.map(({ id }) => bytes(id, 'status', /VmHWM:\s+(\d+)/g)));
}

/** Processor milliseconds that a browser's page has used so far. */
export async function processorTime(browser: Browser): Promise<number> {
  const pages = await pagesOf(await browser.newBrowserCDPSession());
  return Math.max(...pages.map(({ cpuTime }) => cpuTime * 1000));
}

/** The page's process and a spare one, which is idle and small; without the browser's own windows. */
async function pagesOf(tools: DevTools): Promise<Process[]> {
  const isOwnWindow = (id: number) => readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('-webui');
  return (await processes(tools)).filter(({ type, id }) => type === 'renderer' && !isOwnWindow(id));
}

/** The sum of the fields of a process; 0 after it has ended. */
function bytes(pid: number, file: string, fields: RegExp): number {
  try {
    const text = readFileSync(`/proc/${pid}/${file}`, 'utf8');
    return [...text.matchAll(fields)].reduce((sum, [, kibibytes]) => sum + Number(kibibytes) * 1024, 0);
  } catch {
    return 0;
  }
}
