import { BINARY_KINDS, ORIGINAL, PYTORCH } from './binary-kinds.js';
import type { Kind } from './look.js';
import { excerpt, TEXT_KINDS } from './text-kinds.js';

/** Kinds that their contents show. */
export const KINDS: readonly Kind[] = [...TEXT_KINDS, ...BINARY_KINDS];

/** Kinds that only their names show, and text of any other kind. */
export const BY_NAME: readonly Kind[] = [
  {
    is: ({ ending }) => /(\.onnx[._]?data|\.data|\.weights|weights\.bin)(_\d+)?$/.test(ending),
    what: 'by its name the weights of a model (external data)',
    remedy: 'give the .onnx file that refers to it; this is found beside that, or given as externalData',
  },
  { is: ({ ending }) => /\.(pt|pth|ckpt)$/.test(ending), what: 'by its name a PyTorch model', remedy: PYTORCH },
  { is: ({ ending }) => /\.(engine|plan)$/.test(ending), what: 'by its name an engine of TensorRT', remedy: ORIGINAL },
  {
    is: ({ text }) => /^[\t\n\r -~]{8}|^[\t\n\r -~]+$/.test(text),
    what: (look) => `text, ${excerpt(look)}`,
    remedy: 'give the .onnx file, and check the path or address',
  },
];
