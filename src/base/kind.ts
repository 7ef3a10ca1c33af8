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

/** What a value is by its own account. */
export const kindOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** `instanceof` for whatever realm made the value: frames and the contexts that Jest runs tests in have constructors of their own. */
export const isA = <K extends keyof Kinds>(value: unknown, kind: K): value is Kinds[K] => kindOf(value) === kind;
