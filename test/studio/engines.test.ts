import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { serveStudio } from '../../studio/server.js';
import { engine, type Window } from '../platforms/browsers/engines.js';
import { file } from './logs/logged.js';

const model = fileURLToPath(new URL('../../examples/digits/model.onnx', import.meta.url));
const AXE = readFileSync(new URL('../../studio/node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** In the page: waits for what `find` gives. */
const HELP = `
const until = async (what, find) => {
  for (let i = 0; i < 1000; i++) {
    const found = find();
    if (found) return found;
    await new Promise((next) => setTimeout(next, 40));
  }
  throw new Error(what + ' is not there: ' + document.body.innerText.slice(0, 500));
};
const named = (selector, text) => [...document.querySelectorAll(selector)].find(({ innerText }) => innerText.trim() === text);
const press = async (text) => (await until(text, () => named('button:not([role=tab])', text))).click();
const open = async (title) => {
  const tab = await until(title, () => named('[role=tab]', title));
  if (tab.ariaSelected !== 'true') tab.click();
  return until('the panel ' + title, () => document.querySelector('.panel[id], [id^=panel-]'));
};`;

/** What is done in a tool, and what it gives. */
const WORKS: Readonly<Record<string, string>> = {
  Run: `await press('Run'); await until('a result', () => document.querySelector('table [role=rowheader], table th[scope=row]'));`,
  Measure: `await press('Measure');
    await until('costs', () => /Costs by operator|GFLOP/.test(document.body.innerText) && named('td, [role=cell]', 'Conv'));`,
  Watch: `const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(given.log)], 'events.out.tfevents.1'));
    HTMLInputElement.prototype.click = function () {
      this.files = transfer.files;
      this.dispatchEvent(new Event('change'));
    };
    await press('Open log files');
    await until('a plot', () => document.querySelector('.watch .uplot canvas'));`,
};

for (const name of ['firefox', 'webkit'] as const) {
  // In this language, WebKit's pages have one that Intl refuses.
  const launch = engine(name, 'C.UTF-8');
  if (!launch) continue;
  const test = suite<{ window: Window; server: Awaited<ReturnType<typeof serveStudio>> }>(`the studio in ${name}`);

  test.before(async (context) => {
    context.server = await serveStudio({ model });
    context.window = await launch();
    await context.window.goto(context.server.address);
    await context.window.evaluate(
      `globalThis.problems = [];
       addEventListener('error', ({ message }) => problems.push(message));
       addEventListener('unhandledrejection', ({ reason }) => problems.push(String(reason)));
       ${HELP} await until('the drawing', () => document.querySelector('[role=treeitem]'));`,
    );
    await context.window.evaluate(AXE);
  });
  test.after(async ({ window, server }) => {
    await window?.close();
    server?.close();
  });

  test('every tool opens, does its work, and has nothing that axe finds', async ({ window }) => {
    const titles = await window.evaluate<string[]>(
      `return [...document.querySelectorAll('[role=tab]')].map(({ innerText }) => innerText.trim());`,
    );
    assert.ok(titles.length >= 10, `${titles}`);
    for (const title of titles) {
      await window.evaluate(`${HELP} await open(given.title); ${WORKS[title] ?? ''}`, {
        title,
        log: title === 'Watch' ? [...file('torch.tfevents')] : [],
      });
      const found = await window.evaluate<string[]>(
        `const { violations } = await axe.run();
         return violations.map(({ id, nodes }) => id + ' ' + nodes[0].html.slice(0, 200));`,
      );
      assert.equal(found, [], title);
      const text = await window.evaluate<string>('return document.body.innerText;');
      assert.not.match(text, /NaN|Infinity|undefined/, title);
    }
    assert.equal(await window.evaluate('return problems;'), []);
  });

  test('no update is offered of what has come just now', async ({ window }) => {
    await window.evaluate(`const { active } = await navigator.serviceWorker.ready;
      while (active.state !== 'activated') await new Promise((next) => setTimeout(next, 40));
      await new Promise((next) => setTimeout(next, 200));`);
    assert.is(await window.evaluate(`${HELP} return named('button', 'Update') === undefined;`), true);
  });

  test('threads are those that there can be', async ({ window }) => {
    const [most, offered] = await window.evaluate<[number, string[]]>(`${HELP}
      await open('Run');
      const field = await until('Threads', () => [...document.querySelectorAll('label')].find(({ innerText }) => innerText.startsWith('Threads')));
      const choice = field.control ?? field.querySelector('select');
      const most = self.crossOriginIsolated && typeof SharedArrayBuffer !== 'undefined' ? navigator.hardwareConcurrency : 1;
      return [most, [...choice.options].map(({ text }) => text)];`);
    assert.is(offered.length, most === 1 ? 1 : Math.min(8, most) + 1, `${offered}`);
  });

  test.run();
}
