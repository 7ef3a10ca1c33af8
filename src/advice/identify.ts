import { looksLikeText, type Suspect } from '../base/first-bytes.js';
import { BY_NAME, KINDS } from './file-kinds.js';
import { type Kind, type Look, lookAt } from './look.js';
import { isWord } from './protobuf.js';

/** The wire types of the fields of ModelProto. */
const MODEL_FIELDS: Readonly<Record<number, number>> = {
  ...{ 1: 0, 2: 2, 3: 2, 4: 2, 5: 0, 6: 2, 7: 2, 8: 2 },
  ...{ 14: 2, 20: 2, 25: 2, 26: 2 },
};

/** Whether the first fields are those of a model. */
const beginsAsModel = ({ fields }: Look) =>
  fields.length > 0 &&
  fields.every(
    ({ number, wire, bytes }) => MODEL_FIELDS[number] === wire && (number !== 2 || bytes.length === 0 || isWord(bytes)),
  );

/** The sizes of the pool in which Node allocates small Buffers: their `buffer` is the whole pool. */
const POOLS: ReadonlySet<number> = new Set([8192, 65536]);

/** Identifies a file that is not a readable model, and suggests a remedy. `reason` is why it cannot be read. */
export function identify(suspect: Suspect, reason: string): string {
  const look = lookAt(suspect);
  const { name, head, size, reach, contentType } = suspect;
  const isModel = !looksLikeText(head) && beginsAsModel(look);
  if (isModel && reach > size)
    return `${name} is truncated: it ends at byte ${size}, in a field that extends to byte ${reach}; download or copy the file again and compare its size`;
  if (name === 'model' && POOLS.has(size) && !isModel) return cutFromPool(reason, size);
  const kind = KINDS.find(({ is }) => is(look)) ?? (isModel ? undefined : BY_NAME.find(({ is }) => is(look)));
  const sent = contentType ? ` (content type ${contentType})` : '';
  if (kind) return `${name} is not an ONNX model: it is ${said(kind.what, look)}${sent}; ${said(kind.remedy, look)}`;
  if (name === 'model' && POOLS.has(size)) return cutFromPool(reason, size);
  if (isModel && /^the IR version/.test(reason))
    return `cannot read ${name}: ${reason}; set an older ir_version on the model and save it again with onnx.save`;
  if (isModel)
    return `cannot read ${name} as an ONNX model: ${reason}; it begins like one, so the file (${size} bytes) is damaged or incomplete: download or copy it again and compare its size`;
  return `${name} is not an ONNX model (${reason})${sent}: its first bytes are ${firstBytes(look)}; pass a file that was exported to ONNX`;
}

const cutFromPool = (reason: string, size: number) =>
  `cannot read model as an ONNX model: ${reason}; ${size} bytes is the size of the pool in which Node allocates small Buffers: pass the Buffer itself, not its .buffer`;

const said = (text: Kind['what'], look: Look) => (typeof text === 'string' ? text : text(look));

const firstBytes = ({ head }: Look) =>
  [...head.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ') || 'none';
