import type { ValueMetadata } from 'sardonyx';
import type { FoundFile } from '../../store/found-files.js';
import { note } from '../../store/notices.js';
import { inputs, session } from '../../store/session.js';
import { takesPicture } from '../../workers/contracts/symbols.js';
import { giveFile } from './give-file.js';
import { parseLabels } from './labels.js';
import { labels } from './state.js';

const TENSOR = /\.(npy|pb)$/i;
const MEDIA = /\.(png|jpe?g|webp|gif|bmp|avif|tiff?|wav|mp3|ogg|opus|flac|m4a)$/i;

/** Feeds the model from dropped files: pictures, sounds, tensors by the inputs' names or order, and text files of labels. */
export async function takeDropped(files: readonly FoundFile[]): Promise<boolean> {
  const own = session.value?.inputs ?? [];
  if (files.some(({ path }) => /\.onnx$/i.test(path)) || own.length === 0) return false;
  const texts = files.filter(({ path }) => /\.(txt|json|names)$/i.test(path));
  const tensors = files.filter(({ path }) => TENSOR.test(path));
  const media = files.filter(({ path }) => MEDIA.test(path));
  for (const { data } of texts) takeLabels(data.name, await data.text());
  tensors.forEach(({ path, data }, i) => {
    const input = own.find(({ name }) => path.includes(name)) ?? own[i];
    if (input) void giveFile(input, data);
  });
  media.forEach(({ data }, i) => {
    const input = mediaInput(own, i);
    if (input) void giveFile(input, data);
  });
  return texts.length + tensors.length + media.length > 0;
}

/** The picture input at an index, preferably among those without a file; else the first input. */
function mediaInput(own: readonly ValueMetadata[], index: number): ValueMetadata | undefined {
  const pictures = own.filter(takesPicture);
  const open = pictures.filter(({ name }) => inputs.value.get(name)?.kind !== 'file');
  return open[index] ?? pictures[index] ?? own[0];
}

function takeLabels(name: string, text: string): void {
  const parsed = parseLabels(text);
  labels.value = parsed;
  note(parsed ? `Loaded ${parsed.length} labels from ${name}` : `No labels in ${name}`);
}
