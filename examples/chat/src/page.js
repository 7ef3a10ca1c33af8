import { keep, keptConversation, keptSettings } from './kept.js';
import { showMessages, showPiece } from './messages.js';
import { showOfflineState } from './offline.js';

const byId = (id) => document.getElementById(id);
const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
const tell = (task, argument) => worker.postMessage([task, argument]);

const settings = keptSettings();
const messages = keptConversation();
let isLoaded = false;
let isSpeaking = false;

const HEARD = {
  loading: (share) => {
    byId('progress').value = share;
  },
  loaded: ({ name }) => {
    isLoaded = true;
    byId('status').textContent = `${name} is ready.`;
    showState();
  },
  piece: (piece) => {
    messages.at(-1).content += piece;
    showPiece(byId('messages'), piece);
  },
  figures: ({ used, context, rate }) => {
    const speed = rate ? `${rate.toFixed(rate < 10 ? 1 : 0)} tokens/s, ` : '';
    byId('figures').textContent = `${speed}${used} of ${context} tokens of context`;
  },
  ended: (figures) => {
    HEARD.figures(figures);
    if (messages.at(-1).content === '') messages.pop();
    showMessages(byId('messages'), messages);
    isSpeaking = false;
    showState();
  },
  failed: (message) => {
    isSpeaking = false;
    byId('status').textContent = message;
    showState();
  },
};

worker.addEventListener('message', ({ data }) => {
  for (const [name, value] of Object.entries(data)) HEARD[name](value);
});
worker.addEventListener('error', ({ message }) => HEARD.failed(message ?? 'The worker failed to load.'));

function showState() {
  byId('progress').hidden = isLoaded;
  byId('send').disabled = !isLoaded || isSpeaking;
  byId('send').hidden = isSpeaking;
  byId('stop').hidden = !isSpeaking;
  byId('clear').disabled = isSpeaking;
  byId('messages').ariaBusy = String(isSpeaking);
  keep(messages, settings);
}

function load(name, files) {
  isLoaded = false;
  byId('progress').removeAttribute('value');
  byId('status').textContent = `Loading ${name}…`;
  showState();
  tell('load', { name, dtype: settings.dtype, files });
}

function say(text) {
  if (text) messages.push({ role: 'user', content: text });
  if (messages.length === 0) return;
  const { temperature, topP, tokens } = settings;
  tell('speak', { messages: [...messages], temperature, topP, tokens });
  messages.push({ role: 'assistant', content: '' });
  showMessages(byId('messages'), messages);
  isSpeaking = true;
  showState();
}

/** Shows a stored setting, and stores it when it changes. */
function follow(id) {
  const input = byId(id);
  const isNumber = input.type === 'range' || input.type === 'number';
  input.value = settings[id];
  const show = () => {
    const output = input.parentElement.querySelector('output');
    if (output) output.textContent = input.valueAsNumber.toFixed(2);
  };
  show();
  input.addEventListener('input', () => {
    show();
    if (!input.checkValidity()) return;
    settings[id] = isNumber ? input.valueAsNumber : input.value;
    keep(messages, settings);
  });
}

const onSubmit = (id, act) =>
  byId(id).addEventListener('submit', (event) => {
    event.preventDefault();
    act();
  });

onSubmit('load', () => load(settings.model));
onSubmit('settings', () => {});
onSubmit('say', () => {
  if (byId('send').disabled) return;
  say(byId('text').value.trim());
  byId('text').value = '';
});
byId('text').addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  byId('say').requestSubmit();
});
byId('stop').addEventListener('click', () => tell('stop'));
byId('clear').addEventListener('click', () => {
  messages.length = 0;
  showMessages(byId('messages'), messages);
  byId('figures').textContent = '';
  keep(messages, settings);
  byId('text').focus();
});
byId('folder').addEventListener('change', ({ target: { files } }) => {
  const [first] = files;
  if (first) load(first.webkitRelativePath.split('/')[0], [...files]);
});
addEventListener('pagehide', () => keep(messages, settings));

for (const id of ['model', 'dtype', 'temperature', 'topP', 'tokens']) follow(id);
showMessages(byId('messages'), messages);
showOfflineState(byId('install'));
load(settings.model);
