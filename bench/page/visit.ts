import type { Browser, DevTools, Page } from '../../test/platforms/chromium.js';

/** Throughput in bytes per second, latency in milliseconds. */
export interface Network {
  readonly throughput: number;
  readonly latency: number;
}

/** Runs a job in a new Chromium with an empty cache. */
export async function inNewBrowser<T>(
  launch: () => Promise<Browser>,
  job: (browser: Browser) => Promise<T>,
): Promise<T> {
  const browser = await launch();
  try {
    await quiet(browser);
    return await job(browser);
  } finally {
    await browser.close();
  }
}

export interface Process {
  readonly type: string;
  readonly id: number;
  /** Seconds. */
  readonly cpuTime: number;
}

export async function processes(tools: DevTools): Promise<readonly Process[]> {
  return (await tools.send<{ processInfo: Process[] }>('SystemInfo.getProcessInfo')).processInfo;
}

/** Waits until the browser has finished starting: its own hidden windows take half a second of processor time. */
async function quiet(browser: Browser): Promise<void> {
  const tools = await browser.newBrowserCDPSession();
  const worked = async () => (await processes(tools)).reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  for (let [before, now] = [-1, await worked()]; now - before > 0.02; [before, now] = [now, await worked()])
    await new Promise((resolve) => setTimeout(resolve, 500));
}

/** Opens an address, and returns the page's `outcome`. */
export async function open<Outcome>(page: Page, address: string, network?: Network): Promise<Outcome> {
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message ?? ''));
  if (network) await slowDown(page, network);
  await page.goto(address);
  const outcome = await page.evaluate<Outcome | undefined>('globalThis.outcome');
  if (outcome === undefined) throw new Error(`${address}: ${complaints.join('\n') || 'the page promises nothing'}`);
  return outcome;
}

async function slowDown(page: Page, { throughput, latency }: Network): Promise<void> {
  const tools = await page.context().newCDPSession(page);
  await tools.send('Network.enable');
  await tools.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency },
    ...{ downloadThroughput: throughput, uploadThroughput: throughput },
  });
}
