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

/** An archive with an entry, or under a name, such as `mark` says. */
const zipped = (mark: RegExp) => (look: Look) => isZip(look) && (mark.test(look.text) || mark.test(look.ending));

export const PYTORCH = 'export the model from Python: torch.onnx.export(model, (example,), "model.onnx")';
const SKLEARN = 'skl2onnx.to_onnx(model, X[:1])';
const KERAS = 'export it from Keras: model.export("model.onnx", format="onnx")';
const WEIGHTS =
  'that is weights without a graph: use an .onnx file of the model, or make one: optimum-cli export onnx --model NAME FOLDER';
export const ORIGINAL = 'give the .onnx file from which it was made';
const DATA = 'that is data, to be fed perhaps; give the .onnx file';

/** The tag of a message's first field, where that is bytes. */
const FIRST_BYTES = 0x0a;

/**
 * Field 1 is a version and field 2 a message that begins with its own first, as in SavedModel and Core ML; ONNX has the producer's name
 * there, which may be damaged.
 */
function isVersioned({ fields: [first, second] }: Look): boolean {
  const isVersion = first?.number === 1 && first.wire === 0;
  return isVersion && second?.number === 2 && second.wire === 2 && second.bytes[0] === FIRST_BYTES;
}

/** Nodes first, each with its name and operator. */
function isGraphDef({ fields: [node] }: Look): boolean {
  const [name, op] = node?.number === 1 && node.wire === 2 ? firstFields(node.bytes) : [];
  return name?.number === 1 && isWord(name.bytes) && op?.number === 2 && isWord(op.bytes);
}

/** An element type as field 2, where a model has text, and nothing but sizes before it. */
function isTensorProto({ fields }: Look): boolean {
  const at = fields.findIndex(({ number }) => number !== 1);
  const type = fields[at];
  const isType = type?.number === 2 && type.wire === 0 && type.value >= 1 && type.value <= 30;
  return isType && fields.every(({ number }) => number <= 14);
}

/** An 8-byte length, then a header in JSON. */
const isSafetensors = ({ text, head }: Look) => head[6] === 0 && head[7] === 0 && /^\{\s*"/.test(text.slice(8));

/** The opcode of a protocol, and its number. */
const isPickle = ({ head }: Look) => head[0] === 0x80 && (head[1] as number) <= 5;

/** In the order in which they are tried: what an archive holds before the archive. */
export const BINARY_KINDS: readonly Kind[] = [
  {
    is: ({ size }) => size === 0,
    what: 'empty (0 bytes)',
    remedy:
      'the download or export that made it has failed, or its buffer has been handed over (transfer, postMessage)',
  },
  {
    is: has('TFL3', 4),
    what: 'a model of TensorFlow Lite',
    remedy: 'convert it: python -m tf2onnx.convert --tflite model.tflite --output model.onnx',
  },
  { is: has('ORTM', 4), what: "a model in onnxruntime's own format (ORT)", remedy: ORIGINAL },
  { is: starts('GGUF', 'ggml', 'lmgg', 'tjgg'), what: 'a GGUF file of llama.cpp', remedy: WEIGHTS },
  { is: isSafetensors, what: 'a safetensors file', remedy: WEIGHTS },
  { is: starts('\x89HDF\r\n'), what: 'an HDF5 file, such as a Keras model (.h5)', remedy: KERAS },
  { is: starts('\x93NUMPY'), what: 'an array of NumPy (.npy)', remedy: DATA },
  {
    is: zipped(/data\.pkl|constants\.pkl|\/code\/|\.(pt|pth|ckpt)$/),
    what: 'a PyTorch model',
    remedy: PYTORCH,
  },
  { is: zipped(/metadata\.json|model\.weights\.h5|\.keras$/), what: 'a Keras model', remedy: KERAS },
  { is: zipped(/\.np[yz]/), what: 'arrays of NumPy (.npz)', remedy: DATA },
  { is: isZip, what: 'a zip archive', remedy: 'unpack it, and give the .onnx file in it' },
  {
    is: (look) => isPickle(look) && /l\xfc\x9cF\xf9|torch/.test(look.text),
    what: "a PyTorch model (Python's pickle)",
    remedy: PYTORCH,
  },
  {
    is: isPickle,
    what: "an object of Python's pickle",
    remedy: `${PYTORCH}, or of scikit-learn: ${SKLEARN}`,
  },
  {
    is: starts('\x1f\x8b'),
    what: 'compressed (gzip)',
    remedy:
      'unpack it with gunzip, or give response.body.pipeThrough(new DecompressionStream("gzip")); a server that says Content-Encoding: gzip needs neither',
  },
  {
    is: (look) => starts('BZh', '\xfd7zXZ', '\x28\xb5\x2f\xfd', '7z\xbc\xaf', 'Rar!')(look) || has('ustar', 257)(look),
    what: 'a compressed file or archive',
    remedy: 'unpack it, and give the .onnx file in it',
  },
  {
    is: starts('\x89PNG', '\xff\xd8\xff', 'GIF8', 'RIFF'),
    what: 'an image or a sound',
    remedy: 'create takes the model; what is in the image is fed to run, as a tensor',
  },
  {
    is: starts('\0asm'),
    what: 'a WebAssembly module',
    remedy: 'create takes the .onnx file; env.wasm says where kernels are',
  },
  {
    is: (look) => isVersioned(look) && look.fields[0]?.value === 1,
    what: 'a SavedModel of TensorFlow',
    remedy: 'convert it: python -m tf2onnx.convert --saved-model FOLDER --output model.onnx',
  },
  { is: isVersioned, what: 'a model of Core ML', remedy: ORIGINAL },
  {
    is: isGraphDef,
    what: 'a graph of TensorFlow (GraphDef)',
    remedy:
      'convert it: python -m tf2onnx.convert --graphdef model.pb --inputs NAMES --outputs NAMES --output model.onnx',
  },
  {
    is: isTensorProto,
    what: 'a single tensor (TensorProto)',
    remedy: 'that is data to feed; the model it belongs to is most often model.onnx in the folder above',
  },
];
