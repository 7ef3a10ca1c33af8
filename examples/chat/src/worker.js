// Loads a model with transformers.js and generates text. Messages in: { load }, { speak }, { stop }; out: { loading }, { loaded },
// { piece, figures }, { ended }, { failed }.
import {
  AutoModelForCausalLM,
  AutoTokenizer,
  env,
  InterruptableStoppingCriteria,
  LogitsProcessor,
  LogitsProcessorList,
  TextStreamer,
} from '@huggingface/transformers';
import { sample } from './sampling.js';

/** The model that comes with the page. */
const OWN = 'king-james';

env.localModelPath = new URL('../models/', import.meta.url).pathname;
env.allowLocalModels = true;

const stopping = new InterruptableStoppingCriteria();
let model;
let tokenizer;

/** Tasks run one after the other. A new task interrupts the current generation. */
const TASKS = { load, speak, stop: () => {} };
let before = Promise.resolve();

addEventListener('message', ({ data: [task, argument] }) => {
  stopping.interrupt();
  before = before.then(() => TASKS[task](argument)).catch(({ message }) => postMessage({ failed: message }));
});

async function load({ name, dtype, files }) {
  await model?.dispose();
  model = undefined;
  Object.assign(env, sourceOf(name, files));
  const options = { dtype, device: 'wasm', progress_callback: tell };
  tokenizer = await AutoTokenizer.from_pretrained(name, options);
  model = await AutoModelForCausalLM.from_pretrained(name, options);
  yieldToMessages(model);
  postMessage({ loaded: { name, context: contextOf(model.config) } });
}

/** The page's service worker caches its own model; transformers.js caches remote models; models from a folder are not cached. */
const sourceOf = (name, files) => ({
  allowRemoteModels: !files && name !== OWN,
  useBrowserCache: !files && name !== OWN,
  useCustomCache: Boolean(files),
  customCache: files && folderCache(name, files),
});

/** A cache that serves the files of the selected folder. */
function folderCache(name, files) {
  const byPath = new Map(files.map((file) => [file.webkitRelativePath, file]));
  const match = async (request) => {
    const path = decodeURIComponent(String(request.url ?? request));
    const file = byPath.get(path.slice(path.lastIndexOf(`${name}/`)));
    return file && new Response(file);
  };
  return { match, put: async () => {} };
}

const tell = ({ status, loaded, total }) => status === 'progress' && total && postMessage({ loading: loaded / total });

const contextOf = ({ max_position_embeddings: context = 2048 }) => context;

/** Yields to the event loop before each run, so that a message to stop can arrive. */
function yieldToMessages(loaded) {
  const forward = loaded.forward.bind(loaded);
  loaded.forward = async (inputs) => {
    await new Promise((resolve) => setTimeout(resolve));
    return forward(inputs);
  };
}

/** Samples a token and leaves only that one. transformers.js has no top-p. */
class Drawn extends LogitsProcessor {
  constructor(options) {
    super();
    this.options = options;
  }

  _call(_, logits) {
    const id = sample(logits.data, this.options);
    logits.data.fill(Number.NEGATIVE_INFINITY);
    logits.data[id] = 0;
    return logits;
  }
}

async function speak({ messages, tokens, ...options }) {
  stopping.reset();
  const context = contextOf(model.config);
  const maxTokens = Math.min(tokens, context >> 1);
  const inputs = latest(encoded(messages), context - maxTokens);
  const asked = inputs.input_ids.dims[1];
  let [count, first] = [0, 0];
  const counted = () => {
    if (count++ === 0) first = performance.now();
  };
  const figures = () => ({
    used: asked + count,
    context,
    rate: count > 1 ? (1000 * (count - 1)) / (performance.now() - first) : undefined,
  });
  const streamer = new TextStreamer(tokenizer, {
    skip_prompt: true,
    skip_special_tokens: true,
    token_callback_function: counted,
    callback_function: (piece) => postMessage({ piece, figures: figures() }),
  });
  const processors = new LogitsProcessorList();
  processors.push(new Drawn(options));
  await model.generate({
    ...inputs,
    max_new_tokens: maxTokens,
    do_sample: false,
    logits_processor: processors,
    stopping_criteria: stopping,
    streamer,
  });
  postMessage({ ended: figures() });
}

const encoded = (messages) =>
  tokenizer.chat_template
    ? tokenizer.apply_chat_template(messages, { add_generation_prompt: true, return_dict: true })
    : tokenizer(messages.map(({ content }) => `${content}\n`).join(''));

/** The last tokens of the conversation, at most `max`. */
function latest(inputs, max) {
  const cut = (tensor) => tensor.slice(null, [-Math.min(max, tensor.dims[1]), null]);
  return Object.fromEntries(
    ['input_ids', 'attention_mask'].map((name) => [
      name,
      inputs[name].dims[1] > max ? cut(inputs[name]) : inputs[name],
    ]),
  );
}
