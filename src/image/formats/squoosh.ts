import { load } from '../../../bindings/load.js';
import type { Picture } from '../picture.js';

interface ImageLike {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

type DecodeBytes = (bytes: Uint8Array, ...options: unknown[]) => ImageLike | null;

/** What Emscripten starts a decoder of Squoosh from; the decoder adds its own function. */
interface Start {
  readonly noInitialRun: boolean;
  readonly print: () => void;
  readonly printErr: () => void;
  readonly instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => object;
  decode?: DecodeBytes;
}

/** A decoder of Squoosh; one that has failed is in no state to go on and makes room for a new one. */
export async function loadSquoosh(factory: unknown, name: 'jpeg' | 'webp') {
  const module = await load(`${name}-decoder.wasm`);
  let decode: DecodeBytes | undefined;
  return (bytes: Uint8Array, ...options: unknown[]): Picture => {
    try {
      return lendingImageData(() => {
        decode ??= started(factory as (start: Start) => Promise<unknown>, module);
        return pictureOf(decode, bytes, options);
      });
    } catch (error) {
      decode = undefined;
      throw error;
    }
  };
}

/** The decoders make an ImageData, and where the host has none, one that would stay for the whole program to see. */
function lendingImageData<T>(work: () => T): T {
  if ('ImageData' in globalThis) return work();
  const lent = {
    ImageData: class implements ImageLike {
      constructor(
        readonly data: Uint8ClampedArray,
        readonly width: number,
        readonly height: number,
      ) {}
    },
  };
  Object.assign(globalThis, lent);
  try {
    return work();
  } finally {
    Reflect.deleteProperty(globalThis, 'ImageData');
  }
}

/** The module is at hand, so all of the start is synchronous. */
function started(factory: (start: Start) => Promise<unknown>, module: WebAssembly.Module): DecodeBytes {
  const start: Start = {
    noInitialRun: true,
    print: () => undefined,
    printErr: () => undefined,
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(module, imports);
      done(instance);
      return instance.exports;
    },
  };
  factory(start);
  if (!start.decode) throw new Error('the decoder does not start');
  return start.decode;
}

function pictureOf(decode: DecodeBytes, bytes: Uint8Array, options: readonly unknown[]): Picture {
  const image = decode(bytes, ...options);
  if (!image) throw new Error('the decoder refuses it');
  return { width: image.width, height: image.height, channels: 4, samples: image.data };
}
