import { SardonyxError } from '../base/errors.js';
import type { Feeds } from '../session/feeds.js';
import type { Fetches } from '../session/inference-session.js';
import type { SessionOptions as OwnOptions } from '../session/options.js';
import { type HostValue, isTensorValue } from '../tensor/tensor-value.js';
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
    return new SessionHandler(await openSession(source, { ...ownOptions(options), executionProviders }));
  },
});

/** Sardonyx as a backend: of this module and, through its `registerBackend`, of onnxruntime-common. */
export const backend = backendWith(['wasm']);

/** The plain definitions of the operators. */
export const definitions = backendWith(['reference']);

class SessionHandler implements InferenceSessionHandler {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly SessionTypes.ValueMetadata[];
  readonly outputMetadata: readonly SessionTypes.ValueMetadata[];

  constructor(private readonly session: OpenedSession) {
    const inputs = session.inputMetadata.filter(({ hasDefault }) => !hasDefault);
    this.inputNames = inputs.map(({ name }) => name);
    this.outputNames = session.outputNames;
    this.inputMetadata = inputs as readonly SessionTypes.ValueMetadata[];
    this.outputMetadata = session.outputMetadata as readonly SessionTypes.ValueMetadata[];
  }

  async run(
    feeds: SessionTypes.OnnxValueMapType,
    fetches: SessionTypes.NullableOnnxValueMapType,
    { terminate, ...options }: SessionTypes.RunOptions,
  ): Promise<SessionTypes.ReturnType> {
    const stopped = terminate && { signal: AbortSignal.abort('the option terminate is set') };
    const given = fitEmptyFeeds(mapValues(feeds, toOwn), this.inputMetadata);
    const results = await this.session.run(given, this.fetchesOf(fetches), {
      ...options,
      ...stopped,
    });
    return mapValues(fetches, (place, name) => place ?? toCommon(results[name])) as SessionTypes.ReturnType;
  }

  /** Undefined where all outputs are wanted and none has a place of its own. */
  private fetchesOf(fetches: SessionTypes.NullableOnnxValueMapType): Fetches | undefined {
    const isAll = this.outputNames.every((name) => fetches[name] === null);
    return isAll ? undefined : (mapValues(fetches, (value) => value && toOwn(value)) as Fetches);
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

  dispose(): Promise<void> {
    return this.session.release();
  }
}

/** A tensor of whichever library as Sardonyx takes it; sequences, maps and absent optionals as they are. */
function toOwn(value: Tensor): Feeds[string] {
  const host = value as unknown as HostValue;
  if (!isTensorValue(host)) return host;
  if (value.location && !value.location.startsWith('cpu') && value.location !== 'none')
    throw new SardonyxError(
      'INVALID_ARGUMENT',
      `a tensor in the location "${value.location}" cannot be fed: get its data first`,
    );
  const shown = CompatibleTensor.shownBy(value);
  if (shown) return shown as Feeds[string];
  const { type, dims, data } = host;
  return { type, dims, data: toOwnData(type, data) };
}
