// Loads a model by transformers.js and speaks with it. Messages in: { load }, { speak }, { stop }; out: { loading }, { loaded },
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

/** What is asked is done in turn; what is being said ends at once. */
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
  letMessagesIn(model);
  postMessage({ loaded: { name, context: contextOf(model.config) } });
}

/** The model of the page is kept by its service worker, that of a folder not at all, and others as transformers.js does. */
const sourceOf = (name, files) => ({
  allowRemoteModels: !files && name !== OWN,
  useBrowserCache: !files && name !== OWN,
  useCustomCache: Boolean(files),
  customCache: files && folderCache(name, files),
});

/** Answers for files of a folder that was chosen; what it lacks is not there. */
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

/** Runs of a model follow each other without a turn of the event loop, in which alone a message to stop could come. */
function letMessagesIn(loaded) {
  const forward = loaded.forward.bind(loaded);
  loaded.forward = async (inputs) => {
    await new Promise((resolve) => setTimeout(resolve));
    return forward(inputs);
  };
}

/** Leaves one token, drawn as the terminal draws it; transformers.js knows no top-p. */
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
  const most = Math.min(tokens, context >> 1);
  const inputs = latest(encoded(messages), context - most);
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
    max_new_tokens: most,
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

/** The last tokens of what was said: as many as leave room in the context. */
function latest(inputs, most) {
  const cut = (tensor) => tensor.slice(null, [-Math.min(most, tensor.dims[1]), null]);
  return Object.fromEntries(
    ['input_ids', 'attention_mask'].map((name) => [
      name,
      inputs[name].dims[1] > most ? cut(inputs[name]) : inputs[name],
    ]),
  );
}
