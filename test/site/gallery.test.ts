import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSpeaker } from '../../examples/chat/src/speaker.js';
import { imageTensor } from '../../src/image/index.js';
import * as sardonyx from '../../src/index.js';
import { closeSite, type Opened, openSite, type Page } from './site-page.js';

const test = suite('site/gallery');
test.after(closeSite);

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

async function start(name: string): Promise<Opened & { demo: ReturnType<Page['getByRole']> }> {
  const opened = await openSite('/gallery');
  const demo = opened.page.getByRole('region', { name });
  await demo.getByRole('button', { name: 'Run it here' }).click();
  return { ...opened, demo };
}

test('digits: a drawn stroke is a 1', async () => {
  const { page, demo, problems, close } = await start('Handwritten digits');
  const pad = demo.getByRole('img', { name: 'Area to draw a digit in' });
  await pad.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await pad.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width / 2, y + height * 0.2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + height * 0.8, { steps: 8 });
  await page.mouse.up();
  await demo.getByRole('status').filter({ hasText: /^1$/ }).waitFor();
  assert.is(await demo.getByRole('meter').count(), 10);
  await demo.getByRole('button', { name: 'Clear' }).click();
  await demo.getByRole('status').filter({ hasText: 'Draw a digit' }).waitFor();
  assert.equal(problems, []);
  await close();
});

test('table: rows have their species, and a changed value another one', async () => {
  const { demo, problems, close } = await start('A table from scikit-learn');
  for (const species of ['setosa', 'versicolor', 'virginica'])
    await demo.getByRole('cell', { name: species }).first().waitFor();
  const first = demo.getByRole('row').nth(1);
  await first.getByRole('spinbutton', { name: 'Petal length' }).fill('6');
  await first.getByRole('spinbutton', { name: 'Petal width' }).fill('2.5');
  await first.getByRole('cell', { name: 'virginica' }).waitFor();
  assert.equal(problems, []);
  await close();
});

test('chat: the coldest continuation is that of the same model in Node', async () => {
  const folder = 'examples/chat/model';
  const json = (name: string) => JSON.parse(readFileSync(pathOf(`${folder}/${name}`), 'utf8'));
  const session = await sardonyx.InferenceSession.create(pathOf(`${folder}/onnx/model_q4.onnx`));
  const files = { config: json('config.json'), tokenizer: json('tokenizer.json') };
  const speaker = createSpeaker(sardonyx, session, files);
  speaker.hear('In the beginning');
  let wanted = 'In the beginning';
  for await (const piece of speaker.speak({ temperature: 0 })) {
    wanted += piece;
    if (wanted.length > 80) break;
  }
  await session.release();

  const { demo, problems, close } = await start('A language model');
  await demo.getByRole('slider', { name: 'Temperature' }).fill('0');
  await demo.getByRole('button', { name: 'Continue' }).click();
  await demo
    .getByRole('status')
    .filter({ hasText: /^80 tokens/ })
    .waitFor();
  await demo.getByRole('button', { name: 'Continue' }).waitFor();
  const said = await demo.getByRole('textbox').inputValue();
  assert.is(said.slice(0, wanted.length), wanted);
  assert.equal(problems, []);
  await close();
});

const mobilenet = pathOf('../shared/models/mobilenet_v2/model.onnx');

/** The hub is a server that this test does not have. */
if (existsSync(mobilenet))
  test('photo: the most probable class is that of the same model in Node', async () => {
    const photo = pathOf('docs/studio/see.png');
    const session = await sardonyx.InferenceSession.create(mobilenet);
    const pixels = await imageTensor(photo, { for: session, normalize: 'imagenet', crop: 0.875 });
    const results = await session.run({ [session.inputNames[0] as string]: pixels });
    const scores = results[session.outputNames[0] as string] as sardonyx.Tensor<'float32'>;
    const best = scores.data.indexOf(Math.max(...scores.data));
    await session.release();

    const { page, demo, problems, close } = await start('Photos');
    const headers = { 'access-control-allow-origin': '*' };
    const labels = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [i, `class ${i}, another name`]));
    await page.route('https://huggingface.co/**', (route) =>
      route.request().url().endsWith('.json')
        ? route.fulfill({ json: labels, headers })
        : route.fulfill({ path: mobilenet, headers }),
    );
    await demo.getByRole('button', { name: 'Download the model' }).click();
    await demo.getByLabel('A photo').setInputFiles(photo);
    await demo
      .getByRole('status')
      .filter({ hasText: `class ${best}` })
      .waitFor();
    assert.is(await demo.getByRole('meter').count(), 5);
    assert.equal(
      problems.filter((each) => !each.startsWith('a request to https://huggingface.co/')),
      [],
    );
    await close();
  });

test.run();
