import { SardonyxError } from '../errors.js';
import { isTensorValue } from '../tensor/tensor-value.js';
import { type InferenceSessionHandler, resolveBackend } from './backends.js';
import type { InferenceSession as Types } from './inference-session.js';
import type { Profile } from './open-session.js';

/** A model ready to run, with onnxruntime-common's interface. */
export class Session {
  readonly #handler: InferenceSessionHandler;

  private constructor(handler: InferenceSessionHandler) {
    this.#handler = handler;
  }

  /**
   * Loads a model.
   * @param source a URL, a path, or bytes; of a buffer, `byteOffset` and `byteLength` may say which part
   * @throws SardonyxError where the model cannot be loaded or none of the execution providers is there
   */
  static async create(...args: readonly unknown[]): Promise<Session> {
    const { source, options } = creationOf(args);
    const backend = await resolveBackend(options.executionProviders);
    return new Session(await backend.createInferenceSessionHandler(source, options));
  }

  /** Computes the outputs that `fetches` names, or all. */
  async run(feeds: Types.FeedsType, second?: object, third?: object): Promise<Types.ReturnType> {
    for (const name of this.inputNames)
      if (feeds?.[name] === undefined) throw new SardonyxError('MISSING_FEED', 'is not fed', { value: name });
    const isFetches = second !== undefined && this.#isFetches(second);
    const fetches = isFetches ? namedFetches(second) : Object.fromEntries(this.outputNames.map((name) => [name, null]));
    const options = (isFetches ? third : second) ?? {};
    return this.#handler.run(feeds, fetches, options);
  }

  /** Fetches are names, or an object in which an output's name stands for null or a tensor; else it is options. */
  #isFetches(argument: object): boolean {
    if (typeof argument !== 'object' || argument === null)
      throw new SardonyxError('INVALID_ARGUMENT', 'the second argument of run is fetches or options');
    if (Array.isArray(argument)) return true;
    const entries = argument as Record<string, unknown>;
    return this.outputNames.some((name) => name in entries && (entries[name] === null || isTensorValue(entries[name])));
  }

  release(): Promise<void> {
    return this.#handler.dispose();
  }

  startProfiling(): void {
    this.#handler.startProfiling();
  }

  endProfiling(): void {
    this.#handler.endProfiling();
  }

  /** The steps timed since profiling began. */
  get profile(): Profile {
    return this.#handler.profile ?? [];
  }

  get inputNames(): readonly string[] {
    return this.#handler.inputNames;
  }

  get outputNames(): readonly string[] {
    return this.#handler.outputNames;
  }

  get inputMetadata(): readonly Types.ValueMetadata[] {
    return this.#handler.inputMetadata;
  }

  get outputMetadata(): readonly Types.ValueMetadata[] {
    return this.#handler.outputMetadata;
  }
}

const namedFetches = (fetches: object): Types.NullableOnnxValueMapType =>
  Array.isArray(fetches) ? Object.fromEntries(fetches.map((name) => [name, null])) : { ...fetches };

interface Creation {
  readonly source: string | Uint8Array;
  readonly options: Types.SessionOptions;
}

/** Tells `create`'s signatures apart. */
function creationOf([source, ...rest]: readonly unknown[]): Creation {
  if (source instanceof URL) return { source: source.href, options: optionsOf(rest[0]) };
  if (typeof source === 'string' || source instanceof Uint8Array) return { source, options: optionsOf(rest[0]) };
  const isBuffer =
    source instanceof ArrayBuffer || (typeof SharedArrayBuffer !== 'undefined' && source instanceof SharedArrayBuffer);
  if (!isBuffer) throw invalid('a model is given as URL, path, Uint8Array or ArrayBuffer');
  if (typeof rest[0] !== 'number') return { source: new Uint8Array(source), options: optionsOf(rest[0]) };
  const [byteOffset, byteLength = source.byteLength - byteOffset, options] = rest as [number, number?, unknown?];
  const isInside = byteOffset >= 0 && byteLength > 0 && byteOffset + byteLength <= source.byteLength;
  if (!Number.isSafeInteger(byteOffset) || !Number.isSafeInteger(byteLength) || !isInside)
    throw invalid(`bytes ${byteOffset} to ${byteOffset + byteLength} are not within the buffer's ${source.byteLength}`);
  return { source: new Uint8Array(source, byteOffset, byteLength), options: optionsOf(options) };
}

function optionsOf(options: unknown = {}): Types.SessionOptions {
  if (typeof options === 'object' && options !== null) return options;
  throw invalid(`session options are an object, not ${options}`);
}

const invalid = (message: string) => new SardonyxError('INVALID_ARGUMENT', message);
