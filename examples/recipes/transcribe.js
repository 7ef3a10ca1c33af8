import { Tensor } from 'sardonyx';
import { argmax } from 'sardonyx/tensors';
import { InferenceSession } from 'sardonyx/worker'; // The page stays responsive.

/** A CTC model such as wav2vec2: samples at 16 kHz to scores [1, frames, characters]. Its vocab.json is in the same folder. */
const MODEL = new URLSearchParams(location.search).get('model') ?? 'model.onnx';
const RATE = 16_000;
const [BLANK, SPACE] = ['<pad>', '|'];

const file = /** @type {HTMLInputElement} */ (document.getElementById('file'));
const text = /** @type {HTMLElement} */ (document.getElementById('text'));

file.addEventListener('change', async () => {
  text.textContent = 'Transcribing…';
  try {
    const recording = file.files?.[0];
    if (recording) text.textContent = await transcribe(await recording.arrayBuffer());
  } catch (error) {
    text.textContent = /** @type {Error} */ (error).message;
  }
});

/** @param {ArrayBuffer} recording a file in any format that the browser plays */
async function transcribe(recording) {
  const [session, vocabulary] = await loaded();
  const samples = normalized(await decoded(recording));
  const { data } = argmax((await run(session, samples))[session.outputNames[0]]);
  const characters = [...data].map((id) => vocabulary.get(Number(id)));
  // CTC: a character that repeats over several frames counts once, unless a blank separates them.
  const spoken = characters.filter((character, i) => character !== characters[i - 1] && character !== BLANK);
  return spoken
    .map((character) => (character === SPACE ? ' ' : character))
    .join('')
    .trim();
}

/** @param {InferenceSession} session @param {Float32Array} samples */
const run = (session, samples) =>
  session.run({ [session.inputNames[0]]: new Tensor('float32', samples, [1, samples.length]) });

/** One channel at the model's rate; the audio context resamples while it decodes. @param {ArrayBuffer} recording */
async function decoded(recording) {
  const audio = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(recording);
  const channels = Array.from({ length: audio.numberOfChannels }, (_, i) => audio.getChannelData(i));
  return channels[0].map((_, i) => channels.reduce((sum, channel) => sum + channel[i], 0) / channels.length);
}

/** Normalized to mean 0 and variance 1, as in the training of wav2vec2. @param {Float32Array} samples */
function normalized(samples) {
  const mean = samples.reduce((sum, x) => sum + x, 0) / samples.length;
  const variance = samples.reduce((sum, x) => sum + (x - mean) ** 2, 0) / samples.length;
  return samples.map((x) => (x - mean) / Math.sqrt(variance + 1e-7));
}

/** Loads with the first recording. @type {Promise<[InferenceSession, Map<number, string>]> | undefined} */
let loading;

function loaded() {
  loading ??= Promise.all([InferenceSession.create(MODEL), vocabularyBeside(MODEL)]);
  loading.catch(() => {
    loading = undefined; // Try again with the next recording.
  });
  return loading;
}

/** Characters by token ID. @param {string} model */
async function vocabularyBeside(model) {
  const response = await fetch(new URL('vocab.json', new URL(model, location.href)));
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  /** @type {Record<string, number>} */
  const ids = await response.json();
  return new Map(Object.entries(ids).map(([character, id]) => [id, character]));
}
