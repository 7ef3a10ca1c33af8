import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { npm } from '../npm.js';
import { writeModels } from '../transformers/local-models.js';
import { type Browser, hasChromium, type Page, startChromium } from './browser.js';
import { isKept } from './digits-page.js';
import { exampleFolder, install } from './installed-example.js';
import { run } from './recipe-run.js';
import { type Site, serveFolder } from './static-site.js';

interface Context {
  site: Site;
  browser: Browser;
  page: Page;
  errors: Error[];
}

const PROMPT = 'In the beginning';

/** What onnxruntime says after the prompts of test/chat/said.ts: the first, and the same as a line. */
const expected: { texts: string[] } = JSON.parse(
  readFileSync(new URL('../chat/expected.json', import.meta.url), 'utf8'),
);
const [onward = '', answer = ''] = expected.texts;

const folder = exampleFolder('chat');
const terminal = suite('examples/chat in the terminal');

terminal('goes on with a text as onnxruntime does, and says how fast', async () => {
  const { code, output, errors } = await run(folder, 'chat.mjs', PROMPT, '--temperature', '0', '--tokens', '40');
  assert.is(code, 0, errors);
  assert.ok(output.startsWith(PROMPT + onward), output);
  assert.match(output, /\d+ tokens, \d+ per second; first token after \d+ ms\n$/);
});

terminal('says which temperatures there are', async () => {
  const { code, errors } = await run(folder, 'chat.mjs', PROMPT, '--temperature', 'hot');
  assert.is(code, 1);
  assert.match(errors, '--temperature hot: must be a number from 0 to 10');
});

terminal.run();

const isReady = (page: Page) => page.waitForFunction('!document.getElementById("send").disabled');

const shown = (page: Page) =>
  page.evaluate<string[]>('Array.from(document.querySelectorAll("article p"), (p) => p.textContent)');

/** Changes a setting as a person does. */
const set = (page: Page, id: string, value: string) =>
  page.evaluate(`(() => {
    const input = document.getElementById(${JSON.stringify(id)});
    input.value = ${JSON.stringify(value)};
    input.dispatchEvent(new Event('input'));
  })()`);

async function say(page: Page, text: string): Promise<void> {
  await set(page, 'text', text);
  await page.evaluate('document.getElementById("text").focus()');
  await page.keyboard.press('Enter');
}

const hasEnded = (page: Page) => page.waitForFunction('document.getElementById("stop").hidden');

if (hasChromium() && install(folder)) {
  npm(folder, ['run', 'build']);
  const test = suite<Context>('examples/chat in a page');

  test.before(async (context) => {
    context.site = await serveFolder(join(folder, 'dist'));
    context.browser = await startChromium();
    context.page = await (await context.browser.newContext()).newPage();
    context.errors = [];
    context.page.on('pageerror', (error) => context.errors.push(error));
    await context.page.goto(context.site.address);
    await isReady(context.page);
  });
  test.after(async ({ site, browser }) => {
    await browser.close();
    await site.stop();
  });

  test('says what onnxruntime says', async ({ page, errors }) => {
    await set(page, 'temperature', '0');
    await set(page, 'tokens', '40');
    await say(page, PROMPT);
    await hasEnded(page);
    assert.equal(await shown(page), [PROMPT, answer]);
    assert.match(await page.textContent('#figures'), /^[\d.]+ tokens\/s, \d+ of 256 tokens of context$/);
    assert.equal(errors, []);
  });

  test('stops where it is told to', async ({ page }) => {
    await set(page, 'tokens', '128');
    await say(page, 'And the king answered and said,');
    await page.waitForFunction('document.querySelector("article:last-child p").textContent.length > 10');
    await page.click('#stop');
    await hasEnded(page);
    const said = (await shown(page)).at(-1) as string;
    assert.ok(said.length > 10 && said.length < 300, said);
  });

  test('can be installed', async ({ page }) => {
    await isKept(page);
    const devtools = await page.context().newCDPSession(page);
    const { errors, data } = await devtools.send('Page.getAppManifest');
    assert.equal(errors, []);
    assert.is(JSON.parse(data as string).display, 'standalone');
  });

  for (const width of [320, 1280])
    test(`has room in ${width} pixels, in light and dark`, async ({ page }) => {
      await page.setViewportSize({ width, height: 740 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width);
        assert.ok((await page.evaluate<number>('document.documentElement.scrollHeight')) <= 740);
      }
    });

  test('runs a model from a folder', async ({ page }) => {
    const models = mkdtempSync(join(tmpdir(), 'sardonyx-chat-'));
    writeModels(models);
    await set(page, 'dtype', 'fp32');
    await page.setInputFiles('#folder', join(models, 'decoder'));
    await page.waitForFunction('/^decoder is ready/.test(document.getElementById("status").textContent)');
    await say(page, 'the cat sat');
    await hasEnded(page);
    assert.match(await page.textContent('#figures'), / of 96 tokens of context$/);
    await set(page, 'dtype', 'q4');
    rmSync(models, { recursive: true });
  });

  test('keeps the conversation, and speaks without a network', async ({ page, site, errors }) => {
    const before = await shown(page);
    await page.context().setOffline(true);
    await site.stop();
    await page.reload();
    assert.equal(await shown(page), before);
    assert.is(await page.evaluate('document.getElementById("tokens").value'), '128');
    await isReady(page);
    await set(page, 'tokens', '8');
    await say(page, 'Amen.');
    await hasEnded(page);
    assert.is((await shown(page)).length, before.length + 2);
    assert.equal(errors, []);
  });

  test.run();
}
