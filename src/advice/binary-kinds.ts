import type { Kind, Look } from './look.js';
import { firstFields, isWord } from './protobuf.js';

const starts =
  (...magics: readonly string[]) =>
  ({ text }: Look) =>
    magics.some((magic) => text.startsWith(magic));

const has =
  (magic: string, at: number) =>
  ({ text }: Look) =>
    text.startsWith(magic, at);

const isZip = starts('PK\x03\x04', 'PK\x05\x06');

/** A ZIP archive with an entry, or a file name, that matches `mark`. */
const zipped = (mark: RegExp) => (look: Look) => isZip(look) && (mark.test(look.text) || mark.test(look.ending));

export const PYTORCH = 'export the model from Python: torch.onnx.export(model, (example,), "model.onnx")';
const SKLEARN = 'skl2onnx.to_onnx(model, X[:1])';
const KERAS = 'export it from Keras: model.export("model.onnx", format="onnx")';
const WEIGHTS =
  'it has weights but no graph: use an .onnx file of the model, or create one: optimum-cli export onnx --model NAME FOLDER';
export const ORIGINAL = 'pass the .onnx file that it was converted from';
const DATA = 'it has data, perhaps an input; pass the .onnx file';

/** The tag of field 1 of a message, with wire type 2 (bytes). */
const FIRST_BYTES = 0x0a;

/**
 * Field 1 is a version, and field 2 is a message that begins with its own field 1, as in SavedModel and Core ML. In ONNX, field 2 is the
 * producer's name, which may be damaged.
 */
function isVersioned({ fields: [first, second] }: Look): boolean {
  const isVersion = first?.number === 1 && first.wire === 0;
  return isVersion && second?.number === 2 && second.wire === 2 && second.bytes[0] === FIRST_BYTES;
}

/** A GraphDef begins with its nodes; a node begins with its name and operator. */
function isGraphDef({ fields: [node] }: Look): boolean {
  const [name, op] = node?.number === 1 && node.wire === 2 ? firstFields(node.bytes) : [];
  return name?.number === 1 && isWord(name.bytes) && op?.number === 2 && isWord(op.bytes);
}

/** Field 2 is an element type (a model has text there), and only dimensions come before it. */
function isTensorProto({ fields }: Look): boolean {
  const at = fields.findIndex(({ number }) => number !== 1);
  const type = fields[at];
  const isType = type?.number === 2 && type.wire === 0 && type.value >= 1 && type.value <= 30;
  return isType && fields.every(({ number }) => number <= 14);
}

/** An 8-byte length, then a JSON header. */
const isSafetensors = ({ text, head }: Look) => head[6] === 0 && head[7] === 0 && /^\{\s*"/.test(text.slice(8));

/** The opcode PROTO, and the version of the protocol. */
const isPickle = ({ head }: Look) => head[0] === 0x80 && (head[1] as number) <= 5;

/** The first match wins: an archive with known contents comes before any archive. */
export const BINARY_KINDS: readonly Kind[] = [
  {
    is: ({ size }) => size === 0,
    what: 'empty (0 bytes)',
    remedy: 'the download or export failed, or its buffer was transferred (postMessage)',
  },
  {
    is: has('TFL3', 4),
    what: 'a TensorFlow Lite model',
    remedy: 'convert it: python -m tf2onnx.convert --tflite model.tflite --output model.onnx',
  },
  { is: has('ORTM', 4), what: "a model in onnxruntime's ORT format", remedy: ORIGINAL },
  { is: starts('GGUF', 'ggml', 'lmgg', 'tjgg'), what: 'a GGUF file (llama.cpp)', remedy: WEIGHTS },
  { is: isSafetensors, what: 'a safetensors file', remedy: WEIGHTS },
  { is: starts('\x89HDF\r\n'), what: 'an HDF5 file, such as a Keras model (.h5)', remedy: KERAS },
  { is: starts('\x93NUMPY'), what: 'a NumPy array (.npy)', remedy: DATA },
  {
    is: zipped(/data\.pkl|constants\.pkl|\/code\/|\.(pt|pth|ckpt)$/),
    what: 'a PyTorch model',
    remedy: PYTORCH,
  },
  { is: zipped(/metadata\.json|model\.weights\.h5|\.keras$/), what: 'a Keras model', remedy: KERAS },
  { is: zipped(/\.np[yz]/), what: 'a NumPy archive (.npz)', remedy: DATA },
  { is: isZip, what: 'a ZIP archive', remedy: 'unpack it and pass the .onnx file in it' },
  {
    is: (look) => isPickle(look) && /l\xfc\x9cF\xf9|torch/.test(look.text),
    what: 'a PyTorch model (Python pickle)',
    remedy: PYTORCH,
  },
  {
    is: isPickle,
    what: 'a Python pickle',
    remedy: `${PYTORCH}, or from scikit-learn: ${SKLEARN}`,
  },
  {
    is: starts('\x1f\x8b'),
    what: 'compressed (gzip)',
    remedy:
      'unpack it with gunzip, pass response.body.pipeThrough(new DecompressionStream("gzip")), or let the server send Content-Encoding: gzip',
  },
  {
    is: (look) => starts('BZh', '\xfd7zXZ', '\x28\xb5\x2f\xfd', '7z\xbc\xaf', 'Rar!')(look) || has('ustar', 257)(look),
    what: 'a compressed file or archive',
    remedy: 'unpack it and pass the .onnx file in it',
  },
  {
    is: starts('\x89PNG', '\xff\xd8\xff', 'GIF8', 'RIFF'),
    what: 'an image or audio file',
    remedy: 'pass the model to create, and feed the image or audio to run as a tensor',
  },
  {
    is: starts('\0asm'),
    what: 'a WebAssembly module',
    remedy: 'pass the .onnx file to create; set the location of the kernels in env.wasm',
  },
  {
    is: (look) => isVersioned(look) && look.fields[0]?.value === 1,
    what: 'a TensorFlow SavedModel',
    remedy: 'convert it: python -m tf2onnx.convert --saved-model FOLDER --output model.onnx',
  },
  { is: isVersioned, what: 'a Core ML model', remedy: ORIGINAL },
  {
    is: isGraphDef,
    what: 'a TensorFlow graph (GraphDef)',
    remedy:
      'convert it: python -m tf2onnx.convert --graphdef model.pb --inputs NAMES --outputs NAMES --output model.onnx',
  },
  {
    is: isTensorProto,
    what: 'a single tensor (TensorProto)',
    remedy: 'it is data to feed; its model is usually model.onnx in the parent folder',
  },
];
