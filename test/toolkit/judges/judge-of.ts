/** Arguments as they come: messages as base64, texts and numbers as they are. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A function of ONNX's extension, by its name: what it answers, or an error with what is wrong. */
export type Judge = Readonly<Record<string, (given: Arguments) => unknown>>;

/** A message that was given. */
export const bytesIn = (given: Arguments, name: string): Uint8Array =>
  new Uint8Array(Buffer.from(given[name] as string, 'base64'));

export const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
