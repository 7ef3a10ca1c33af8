import { BINARY_KINDS, ORIGINAL, PYTORCH } from './binary-kinds.js';
import type { Kind } from './look.js';
import { excerpt, TEXT_KINDS } from './text-kinds.js';

/** Kinds that their contents identify. */
export const KINDS: readonly Kind[] = [...TEXT_KINDS, ...BINARY_KINDS];

/** Kinds that only their names identify, and any other text. */
export const BY_NAME: readonly Kind[] = [
  {
    is: ({ ending }) => /(\.onnx[._]?data|\.data|\.weights|weights\.bin)(_\d+)?$/.test(ending),
    what: 'external data (weights of a model), judging by its name',
    remedy: 'pass the .onnx file that refers to it; keep the data in the same folder, or pass it as externalData',
  },
  {
    is: ({ ending }) => /\.(pt|pth|ckpt)$/.test(ending),
    what: 'a PyTorch model, judging by its name',
    remedy: PYTORCH,
  },
  {
    is: ({ ending }) => /\.(engine|plan)$/.test(ending),
    what: 'a TensorRT engine, judging by its name',
    remedy: ORIGINAL,
  },
  {
    is: ({ text }) => /^[\t\n\r -~]{8}|^[\t\n\r -~]+$/.test(text),
    what: (look) => `text, ${excerpt(look)}`,
    remedy: 'pass an .onnx file; check the path or URL',
  },
];
