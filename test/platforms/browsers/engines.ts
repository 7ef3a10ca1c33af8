import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { WHOLE_CHROMIUM } from '../../chromium.js';
import { freePort } from '../free-port.js';
import { peers } from '../packed-package.js';
import { unavailable } from '../unavailable.js';

/** A window of a browser, driven by W3C's protocols: BiDi (Firefox), DevTools (Chromium), classic WebDriver (WebKit). */
export interface Window {
  goto(address: string): Promise<void>;
  /** What the body of an async function returns in the page; it sees `given`. */
  evaluate<T>(body: string, given?: unknown): Promise<T>;
  close(): Promise<void>;
}

export type Engine = 'firefox' | 'webkit' | 'chromium';

const PLACES: Readonly<Record<Engine, readonly string[]>> = {
  firefox: [process.env.FIREFOX ?? '/usr/bin/firefox-esr'],
  webkit: ['/usr/bin/WebKitWebDriver', '/usr/bin/xvfb-run'],
  chromium: [WHOLE_CHROMIUM],
};

const MINI_BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';

/** What opens a browser, in a language of its own where WebKit is asked to; undefined, with a message, where a part of it is missing. */
export function engine(name: Engine, language?: string): (() => Promise<Window>) | undefined {
  const missing = PLACES[name].find((place) => !existsSync(place));
  if (missing) return unavailable(`${name}: there is no ${missing}`);
  if (name === 'webkit') return () => openWebKit(language);
  const installed = peers();
  return installed ? () => openByPuppeteer(installed, name) : undefined;
}

/** Longest that a script may take. */
const PATIENCE = 120_000;

/** `TestUtils.gc()` collects garbage: https://searchfox.org/mozilla-central/source/dom/webidl/TestUtils.webidl */
const PREFERENCES = { 'dom.testing.testutils.enabled': true };

async function openByPuppeteer(installed: string, name: 'firefox' | 'chromium'): Promise<Window> {
  const { default: puppeteer } = await import(
    pathToFileURL(join(installed, 'puppeteer-core/lib/esm/puppeteer/puppeteer-core.js')).href
  );
  const browser = await puppeteer.launch({
    browser: name === 'firefox' ? 'firefox' : 'chrome',
    executablePath: PLACES[name][0],
    headless: true,
    protocolTimeout: PATIENCE,
    ...(name === 'firefox' ? { extraPrefsFirefox: PREFERENCES } : { args: ['--no-sandbox', '--js-flags=--expose-gc'] }),
  });
  const page = await browser.newPage();
  return {
    goto: (address) => page.goto(address),
    // As text: policies of pages forbid them to make functions of it.
    evaluate: (body, given = null) => page.evaluate(`(async (given) => {${body}\n})(${JSON.stringify(given)})`),
    close: () => browser.close(),
  };
}

/** https://www.w3.org/TR/webdriver2/ */
async function openWebKit(language = 'en_US.UTF-8'): Promise<Window> {
  const port = await freePort();
  const home = mkdtempSync(join(tmpdir(), 'webkit-'));
  const driver = spawn('xvfb-run', ['-a', '-s', '-screen 0 1600x1200x24', 'WebKitWebDriver', `--port=${port}`], {
    detached: true,
    stdio: 'ignore',
    env: {
      ...process.env,
      LANG: language,
      LC_ALL: language,
      HOME: home,
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
  });
  const kill = () => killGroup(driver);
  process.once('exit', kill);
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const { value } = (await response.json()) as { value: T };
    if (response.ok) return value;
    const { error, message } = value as { error?: string; message?: string };
    throw new Error(`${error}: ${message}`);
  };
  await answering(() => ask('GET', '/status'));
  const options = { binary: MINI_BROWSER, args: ['--automation'] };
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
  const { sessionId } = await ask<{ sessionId: string }>('POST', '/session', { capabilities });
  const session = `/session/${sessionId}`;
  await ask('POST', `${session}/timeouts`, { script: PATIENCE, pageLoad: PATIENCE });
  return {
    goto: (url) => ask('POST', `${session}/url`, { url }),
    evaluate: (body, given = null) => ask('POST', `${session}/execute/sync`, { script: inWebKit(body), args: [given] }),
    async close() {
      await ask('DELETE', session).catch(() => {});
      kill();
      process.off('exit', kill);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A script may return a promise, which WebKit waits for. */
const inWebKit = (body: string) => `return (async (given) => {${body}\n})(arguments[0]);`;

async function answering(ask: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    try {
      await ask();
      return;
    } catch {
      await new Promise((next) => setTimeout(next, 200));
    }
  }
  throw new Error('WebKitWebDriver does not answer');
}

function killGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-(pid as number), 'SIGTERM');
  } catch {
    // It has ended.
  }
}
