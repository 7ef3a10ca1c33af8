import { advised } from '../advice/advised.js';
import { optionsOf, reading } from '../base/arguments.js';
import { SardonyxError } from '../base/errors.js';
import { given } from '../base/given.js';
import { isA } from '../base/kind.js';
import { shown } from '../base/shown.js';
import { typeIn, type ValueMetadata } from '../graph/metadata.js';
import type { ValueType } from '../graph/types.js';
import { inspectable, typesOf } from '../inspection.js';
import { isBuffer } from '../loading/source.js';
import { checkNamed, notFed } from '../session/feeds.js';
import { checkFetches } from '../session/fetches.js';
import { OPTIONS_EXAMPLE, SESSION_OPTIONS } from '../session/options.js';
import { isRunOptions, toldBy } from '../session/run-options.js';
import { isTensorValue } from '../tensor/tensor-value.js';
import { checksFeeds } from './backend.js';
import type { InferenceSessionHandler } from './backend-types.js';
import { resolveBackend } from './backends.js';
import { mapValues } from './map-values.js';
import type { Profile } from './open-session.js';
import type { SessionTypes } from './session-types.js';
import { type Tensor, toCommon } from './tensor.js';

/** A model ready to run, with onnxruntime-common's interface. */
export class CompatibleSession {
  static readonly name = 'InferenceSession';
  readonly #handler: InferenceSessionHandler;

  static {
    inspectable(CompatibleSession.prototype, 'InferenceSession', (session) =>
      typesOf({
        inputMetadata: session.inputMetadata as readonly ValueMetadata[],
        outputMetadata: session.outputMetadata as readonly ValueMetadata[],
      }),
    );
  }

  private constructor(handler: InferenceSessionHandler) {
    this.#handler = handler;
  }

  /** Undocumented in onnxruntime-common, but used by applications: `session.handler.dispose()`. */
  get handler(): InferenceSessionHandler {
    return this.#handler;
  }

  /**
   * Loads a model.
   * @param source a URL, a path, or bytes; `byteOffset` and `byteLength` may select a part of a buffer
   * @throws SardonyxError if the model cannot be loaded or no execution provider is available
   */
  static async create(...args: readonly unknown[]): Promise<CompatibleSession> {
    const { source, options } = reading("create's arguments", () => creationOf(args));
    const backend = await resolveBackend(options.executionProviders);
    return new CompatibleSession(await backend.createInferenceSessionHandler(source, options));
  }

  /** Computes the outputs in `fetches`, or all. */
  async run(feeds: SessionTypes.FeedsType, second?: object, third?: object): Promise<SessionTypes.ReturnType> {
    let given: Arguments;
    try {
      given = reading('the arguments of run', () => this.#argumentsOf(feeds, second, third));
    } catch (error) {
      throw await advised(error);
    }
    const { fetches, options } = given;
    const results = await this.#handler.run(feeds, fetches, options);
    const ofCommon = (value: Tensor, name: string) => (value === fetches[name] ? value : toCommon(value));
    return mapValues(results, ofCommon) as SessionTypes.ReturnType;
  }

  #argumentsOf(feeds: SessionTypes.FeedsType, second?: object, third?: object): Arguments {
    const inputs = this.inputNames.map((name) => ({ name }));
    checkNamed(feeds, inputs);
    if (!checksFeeds(this.#handler))
      for (const name of this.inputNames)
        if (given(feeds, name) === undefined) throw notFed(feeds, { name, type: this.#typeOf(name) });
    isRunOptions(second, third, this.outputNames);
    const places = second ? this.#fetchesOf(second) : undefined;
    const options: SessionTypes.RunOptions = (places ? third : (second ?? third)) ?? {};
    const names = toldBy(options).fetches ?? this.outputNames;
    return { fetches: places ?? this.#fetchesOf(names) ?? {}, options };
  }

  #typeOf(input: string): ValueType | undefined {
    const metadata = this.inputMetadata.find(({ name }) => name === input);
    return metadata && typeIn(metadata as ValueMetadata);
  }

  /** The argument as fetches: names, or an object with null or a tensor for an output's name. Otherwise it is options. */
  #fetchesOf(argument: object): SessionTypes.NullableOnnxValueMapType | undefined {
    if (Array.isArray(argument)) {
      checkFetches(argument, this.outputNames);
      return nulls(argument);
    }
    const places = argument as Record<string, Tensor | null>;
    const names = this.outputNames.filter((name) => places[name] === null || isTensorValue(places[name]));
    return names.length > 0
      ? Object.fromEntries(names.map((name) => [name, places[name] as Tensor | null]))
      : undefined;
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

  /** The steps timed since profiling started. */
  get profile(): Profile {
    return this.#handler.profile ?? [];
  }

  get inputNames(): readonly string[] {
    return this.#handler.inputNames;
  }

  get outputNames(): readonly string[] {
    return this.#handler.outputNames;
  }

  get inputMetadata(): readonly SessionTypes.ValueMetadata[] {
    return this.#handler.inputMetadata;
  }

  get outputMetadata(): readonly SessionTypes.ValueMetadata[] {
    return this.#handler.outputMetadata;
  }
}

interface Arguments {
  readonly fetches: SessionTypes.NullableOnnxValueMapType;
  readonly options: SessionTypes.RunOptions;
}

const nulls = (names: readonly string[]): Record<string, null> => Object.fromEntries(names.map((name) => [name, null]));

const sessionOptions = (options: unknown): SessionTypes.SessionOptions =>
  optionsOf(options as SessionTypes.SessionOptions, SESSION_OPTIONS, OPTIONS_EXAMPLE);

interface Creation {
  readonly source: string | Uint8Array;
  readonly options: SessionTypes.SessionOptions;
}

/** Distinguishes the signatures of `create`. */
function creationOf([source, ...rest]: readonly unknown[]): Creation {
  if (isA(source, 'URL')) return { source: source.href, options: sessionOptions(rest[0]) };
  if (typeof source === 'string' || isA(source, 'Uint8Array')) return { source, options: sessionOptions(rest[0]) };
  if (!isBuffer(source)) throw invalid(`a model must be a URL, path, Uint8Array or ArrayBuffer; got ${shown(source)}`);
  if (typeof rest[0] !== 'number') return { source: new Uint8Array(source), options: sessionOptions(rest[0]) };
  const [byteOffset, byteLength = source.byteLength - byteOffset, options] = rest as [number, number?, unknown?];
  const isInside = byteOffset >= 0 && byteLength > 0 && byteOffset + byteLength <= source.byteLength;
  if (!Number.isSafeInteger(byteOffset) || !Number.isSafeInteger(byteLength) || !isInside)
    throw invalid(`bytes ${byteOffset} to ${byteOffset + byteLength} are not within the buffer's ${source.byteLength}`);
  return { source: new Uint8Array(source, byteOffset, byteLength), options: sessionOptions(options) };
}

const invalid = (message: string) => new SardonyxError('INVALID_ARGUMENT', message);
