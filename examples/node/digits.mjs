// Recognizes handwritten digits; with arguments, runs a model of your own: digits.mjs MODEL INPUT
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { InferenceSession, Tensor } from '../../dist/index.js';

const SIDE = 8;
const PIXELS = SIDE * SIDE;
const WHITE = 16;
const SHADES = ' .:-=+*#%@';
const MIN_ACCURACY = 0.97;
const SHOWN_RIGHT = 4;

const [model, input] = process.argv.slice(2);
if (model) runOwn(model, input);
else await recognizeDigits();

function runOwn(model, input) {
  const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
  const inputs = input ? ['--input', input] : [];
  process.exitCode =
    spawnSync(process.execPath, [cli, 'run', model, ...inputs, '--top', '5'], { stdio: 'inherit' }).status ?? 1;
}

async function recognizeDigits() {
  const levels = readNpy('images.npy');
  const labels = readNpy('labels.npy');
  const images = Float32Array.from(levels, (level) => level / WHITE);
  const count = labels.length;

  const session = await InferenceSession.create(fileOf('model.onnx'));
  const recognize = async (from, to) => {
    const image = new Tensor('float32', images.subarray(from * PIXELS, to * PIXELS), [to - from, 1, SIDE, SIDE]);
    const { probabilities } = await session.run({ image });
    return Array.from({ length: to - from }, (_, i) => mostProbable(probabilities.data.subarray(i * 10, i * 10 + 10)));
  };

  const answers = await recognize(0, count);
  const isRight = (i) => answers[i].digit === labels[i];
  const wrong = [...labels.keys()].filter((i) => !isRight(i));
  print([...labels.keys()].filter(isRight).slice(0, SHOWN_RIGHT), levels, labels, answers);
  print(wrong.slice(0, 1), levels, labels, answers);

  const accuracy = 1 - wrong.length / count;
  console.log(`${count - wrong.length} of ${count} correct: ${(100 * accuracy).toFixed(1)} %`);
  const together = await perSecond(count, () => recognize(0, count));
  const oneByOne = await perSecond(count, async () => {
    for (let i = 0; i < count; i++) await recognize(i, i + 1);
  });
  console.log(`${together} images/s in batches of ${count}, ${oneByOne} images/s one by one`);
  await session.release();
  if (accuracy < MIN_ACCURACY) {
    console.error(`accuracy is below ${100 * MIN_ACCURACY} %`);
    process.exitCode = 1;
  }
}

function fileOf(name) {
  return fileURLToPath(new URL(`../digits/${name}`, import.meta.url));
}

/** The bytes of a .npy file of uint8: its header's length is at byte 8. */
function readNpy(name) {
  const file = readFileSync(fileOf(name));
  return file.subarray(10 + file.readUInt16LE(8));
}

function mostProbable(probabilities) {
  const digit = probabilities.indexOf(Math.max(...probabilities));
  return { digit, probability: probabilities[digit] };
}

function print(indices, levels, labels, answers) {
  const pixel = (image, y, x) =>
    SHADES[Math.round((levels[image * PIXELS + y * SIDE + x] / WHITE) * (SHADES.length - 1))];
  const row = (image, y) => Array.from({ length: SIDE }, (_, x) => pixel(image, y, x).repeat(2)).join('');
  for (let y = 0; y < SIDE; y++) console.log(indices.map((image) => row(image, y)).join('   '));
  const captions = indices.map((image) => {
    const { digit, probability } = answers[image];
    const verdict = digit === labels[image] ? '' : `, should be ${labels[image]}`;
    return `${digit} ${(100 * probability).toFixed(1)} %${verdict}`.padEnd(2 * SIDE);
  });
  console.log(`${captions.join('   ').trimEnd()}\n`);
}

/** Images per second: the best of repeated runs within about half a second. */
async function perSecond(images, run) {
  let best = Number.POSITIVE_INFINITY;
  for (const end = performance.now() + 500; performance.now() < end; ) {
    const started = performance.now();
    await run();
    best = Math.min(best, performance.now() - started);
  }
  return Math.round((1000 * images) / best).toLocaleString('en');
}
