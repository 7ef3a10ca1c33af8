interface Kinds {
  ArrayBuffer: ArrayBuffer;
  SharedArrayBuffer: SharedArrayBuffer;
  Uint8Array: Uint8Array;
  Uint8ClampedArray: Uint8ClampedArray;
  Uint16Array: Uint16Array;
  Map: ReadonlyMap<unknown, unknown>;
  Blob: Blob;
  File: File;
  ReadableStream: ReadableStream<Uint8Array>;
  Response: Response;
  URL: URL;
}

/** The class name of a value, from `Symbol.toStringTag`. */
export const kindOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** `instanceof` across realms: frames and Jest's test contexts have their own constructors. */
export const isA = <K extends keyof Kinds>(value: unknown, kind: K): value is Kinds[K] => kindOf(value) === kind;
