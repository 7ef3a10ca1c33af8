import { reading } from '../base/arguments.js';
import { SardonyxError } from '../base/errors.js';
import { isGiven } from '../base/given.js';
import { type Feeds, notWhole } from '../session/feeds.js';
import type { Fetches } from '../session/inference-session.js';
import type { SessionOptions as OwnOptions } from '../session/options.js';
import { elementCount, type HostValue, isTensorValue } from '../tensor/tensor-value.js';
import type { Backend, InferenceSessionHandler } from './backend-types.js';
import { CompatibleTensor } from './compatible-tensor.js';
import { toOwnData } from './element-data.js';
import { fitEmptyFeeds } from './empty-feeds.js';
import { mapValues } from './map-values.js';
import { type OpenedSession, openSession, type Profile } from './open-session.js';
import { ownOptions } from './session-options.js';
import type { SessionTypes } from './session-types.js';
import { type Tensor, toCommon } from './tensor.js';

const backendWith = (executionProviders: OwnOptions['executionProviders']): Backend => ({
  async init() {},
  async createInferenceSessionHandler(source, options = {}) {
    const own = { ...ownOptions(options), executionProviders };
    return new SessionHandler(await openSession(source, own), () =>
      openSession(source, { ...own, looseScalars: true }),
    );
  },
});

/** Sardonyx as a backend, of this module and, through its `registerBackend`, of onnxruntime-common. */
export const backend = backendWith(['wasm']);

/** The reference implementation as a backend. */
export const definitions = backendWith(['reference']);

class SessionHandler implements InferenceSessionHandler {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly SessionTypes.ValueMetadata[];
  readonly outputMetadata: readonly SessionTypes.ValueMetadata[];

  /** Opened when an input that is declared as a scalar is first fed several elements or none, which onnxruntime does not check. */
  private loose?: Promise<OpenedSession>;
  private readonly openLoose: (() => Promise<OpenedSession>) | undefined;

  constructor(
    private readonly session: OpenedSession,
    openLoose: () => Promise<OpenedSession>,
  ) {
    const inputs = session.inputMetadata.filter(({ hasDefault }) => !hasDefault);
    this.inputNames = inputs.map(({ name }) => name);
    this.outputNames = session.outputNames;
    this.inputMetadata = inputs as readonly SessionTypes.ValueMetadata[];
    this.outputMetadata = session.outputMetadata as readonly SessionTypes.ValueMetadata[];
    // Created only if needed, because the closure references the model's bytes.
    if (this.inputMetadata.some(isScalar)) this.openLoose = openLoose;
  }

  async run(
    feeds: SessionTypes.OnnxValueMapType,
    fetches: SessionTypes.NullableOnnxValueMapType,
    { terminate, fetches: _, ...options }: SessionTypes.RunOptions,
  ): Promise<SessionTypes.ReturnType> {
    const stopped = terminate && { signal: AbortSignal.abort('the option terminate is set') };
    const given = reading('the feeds', () => fitEmptyFeeds(mapValues(feeds, toOwn), this.inputMetadata));
    const run = (session: OpenedSession) => session.run(given, this.fetchesOf(fetches), { ...options, ...stopped });
    const opened = this.sessionFor(given);
    // Starts the run immediately if its session exists, so that a later release waits for it.
    const results = await (opened instanceof Promise ? opened.then(run) : run(opened));
    const fetched = mapValues(fetches, (place, name) => place ?? toCommon(results[name]));
    const captured = Object.entries(results).filter(([name]) => !isGiven(fetches, name));
    return { ...fetched, ...mapValues(Object.fromEntries(captured), toCommon) } as SessionTypes.ReturnType;
  }

  private sessionFor(feeds: Feeds): OpenedSession | Promise<OpenedSession> {
    if (!this.openLoose || !this.inputMetadata.some((input) => isScalar(input) && !isSingle(feeds[input.name])))
      return this.session;
    this.loose ??= this.openLoose();
    return this.loose;
  }

  /** Fetches by name if none has a tensor to write into; undefined if these are all outputs. */
  private fetchesOf(fetches: SessionTypes.NullableOnnxValueMapType): Fetches | undefined {
    const isPlaced = Object.values(fetches).some((place) => place !== null);
    if (isPlaced) return mapValues(fetches, (place, name) => place && toOwn(place, name)) as Fetches;
    return this.outputNames.every((name) => isGiven(fetches, name)) ? undefined : Object.keys(fetches);
  }

  startProfiling(): void {
    this.session.startProfiling();
  }

  endProfiling(): void {
    this.session.endProfiling();
  }

  get profile(): Profile {
    return this.session.profile;
  }

  async dispose(): Promise<void> {
    await this.session.release();
    const loose = await this.loose?.catch(() => undefined); // The run that opened it has reported its failure.
    await loose?.release();
  }
}

/** Whether a handler checks feeds itself, and suggests similar names. */
export const checksFeeds = (handler: InferenceSessionHandler): boolean => handler instanceof SessionHandler;

const isScalar = (input: SessionTypes.ValueMetadata) => input.isTensor && input.shape.length === 0;

const isSingle = (feed: Feeds[string] | undefined) => !isTensorValue(feed) || elementCount(feed.dims) === 1;

/** Converts a tensor of any library to one of Sardonyx; leaves sequences, maps and absent optionals. */
function toOwn(value: Tensor, name: string): Feeds[string] {
  const host = value as unknown as HostValue;
  if (!isTensorValue(host)) return host;
  if (value.location && !value.location.startsWith('cpu') && value.location !== 'none')
    throw new SardonyxError(
      'INVALID_ARGUMENT',
      `a tensor in the location "${value.location}" cannot be fed: get its data first`,
    );
  const shown = CompatibleTensor.shownBy(value);
  if (shown) return shown as Feeds[string];
  try {
    const { type, dims, data } = host;
    return { type, dims, data: toOwnData(type, data) };
  } catch (error) {
    throw notWhole(name, host, error);
  }
}
