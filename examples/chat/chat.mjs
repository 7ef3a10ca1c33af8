// Continues a text, or what you type: node chat.mjs [TEXT …] [--temperature 0.8] [--top-p 0.95] [--tokens 160]
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as sardonyx from '../../dist/index.js';
import { createSpeaker } from './src/speaker.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    temperature: { type: 'string', default: '0.8' },
    'top-p': { type: 'string', default: '0.95' },
    tokens: { type: 'string', default: '160' },
    model: { type: 'string', default: fileURLToPath(new URL('model', import.meta.url)) },
  },
});
const maxTokens = numberOf('tokens', 1, Number.POSITIVE_INFINITY);
const sampling = { temperature: numberOf('temperature', 0, 10), topP: numberOf('top-p', 0, 1) };

function numberOf(name, min, max) {
  const value = Number(values[name]);
  if (value >= min && value <= max) return value;
  throw new Error(`--${name} ${values[name]}: must be a number from ${min} to ${max}`);
}

const json = (name) => JSON.parse(readFileSync(`${values.model}/${name}`, 'utf8'));
const session = await sardonyx.InferenceSession.create(`${values.model}/onnx/model_q4.onnx`);
const files = { config: json('config.json'), tokenizer: json('tokenizer.json') };
const speaker = createSpeaker(sardonyx, session, files);

/** Prints the generated text and its speed: `maxTokens` tokens, then up to the end of the verse, at most as many again. */
async function answer() {
  const started = performance.now();
  let [first, count] = [0, 0];
  for await (const piece of speaker.speak(sampling)) {
    process.stdout.write(piece);
    first ||= performance.now();
    count++;
    if (count >= maxTokens && (piece.endsWith('\n') || count >= 2 * maxTokens)) break;
  }
  if (count < 2) return console.log();
  const rate = (1000 * (count - 1)) / (performance.now() - first);
  console.log(`\n${count} tokens, ${rate.toFixed(0)} per second; first token after ${(first - started).toFixed(0)} ms`);
}

async function converse() {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  terminal.setPrompt('> ');
  terminal.prompt();
  for await (const line of terminal) {
    speaker.hear(`${line}\n`);
    await answer();
    terminal.prompt();
  }
}

if (positionals.length) {
  const text = positionals.join(' ');
  process.stdout.write(text);
  speaker.hear(text);
  await answer();
} else await converse();
await session.release();
