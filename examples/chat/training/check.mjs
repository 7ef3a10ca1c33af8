// Compares an export with PyTorch, using onnxruntime-node: node check.mjs OUT FOLDER, after witness.py and export.mjs … q4 fp32.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readSafetensors } from './safetensors.mjs';

const { InferenceSession, Tensor } = createRequire(new URL('../../../bench/package.json', import.meta.url))(
  'onnxruntime-node',
);

const MOST = 1e-4;

const [out, folder] = process.argv.slice(2);
const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
const CONTEXT = config.max_position_embeddings;

const integers = (values, dims) => new Tensor('int64', BigInt64Array.from(values, BigInt), dims);

function feeds(ids) {
  const cache = new Tensor('float32', new Float32Array(), [1, config.num_key_value_heads, 0, config.head_dim]);
  const past = Array.from({ length: config.num_hidden_layers }, (_, i) => [
    [`past_key_values.${i}.key`, cache],
    [`past_key_values.${i}.value`, cache],
  ]);
  const dims = [1, ids.length];
  return {
    input_ids: integers(ids, dims),
    attention_mask: integers(new Array(ids.length).fill(1), dims),
    ...Object.fromEntries(past.flat()),
  };
}

const logitsOf = async (session, ids) => (await session.run(feeds(ids), ['logits'])).logits.data;

/** The loss of the token after row `row`, in nats. */
function lossAt(logits, row, id) {
  const scores = logits.subarray(row * config.vocab_size, (row + 1) * config.vocab_size);
  const most = scores.reduce((a, b) => Math.max(a, b));
  return most + Math.log(scores.reduce((sum, x) => sum + Math.exp(x - most), 0)) - scores[id];
}

/** Bits per character of the validation chapters; each token counts after at least half a context of its chapter. */
async function bitsOf(session, { texts, ids }) {
  let nats = 0;
  for (const chapter of ids) {
    for (let start = 0; start < chapter.length - 1; start += CONTEXT / 2) {
      const window = chapter.slice(start, start + CONTEXT + 1);
      const from = start ? CONTEXT / 2 : 0;
      if (window.length <= from + 1) continue;
      const logits = await logitsOf(session, window.slice(0, -1));
      for (let row = from; row + 1 < window.length; row++) nats += lossAt(logits, row, window[row + 1]);
    }
  }
  return nats / Math.LN2 / texts.join('').length;
}

const witness = readSafetensors(join(out, 'witness.safetensors'));
const heldOut = JSON.parse(readFileSync(join(out, 'held-out.json'), 'utf8'));
const [windows, length] = witness.ids.dims;
for (const file of ['model.onnx', 'model_q4.onnx']) {
  const session = await InferenceSession.create(join(folder, 'onnx', file));
  let farthest = 0;
  for (let i = 0; i < windows; i++) {
    const logits = await logitsOf(session, [...witness.ids.data.subarray(i * length, (i + 1) * length)]);
    const expected = witness.logits.data.subarray(i * logits.length, (i + 1) * logits.length);
    farthest = logits.reduce((most, x, j) => Math.max(most, Math.abs(x - expected[j])), farthest);
  }
  console.log(
    `${file}: logits at most ${farthest.toExponential(1)} from PyTorch's, ${(await bitsOf(session, heldOut)).toFixed(3)} bits per character`,
  );
  if (file === 'model.onnx' && farthest > MOST) process.exitCode = 1;
}
