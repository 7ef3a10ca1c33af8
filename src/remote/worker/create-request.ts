import { expose, transfer } from 'comlink';
import type { Passage } from '../../../workers/pack.js';
import type { Caller, Offers } from '../../../workers/session-caller.js';
import type { SardonyxError } from '../../base/errors.js';
import { callbackFailed } from '../../loading/progress.js';
import { isKept, type KeptFile } from '../../loading/source.js';
import { env, type SessionOptions } from '../../session/options.js';
import {
  type Cargo,
  type PortableSource,
  portableBinary,
  portableOptions,
  portableSettings,
  portableSource,
  unkept,
} from './portable.js';

type Report = (...given: unknown[]) => void;

/** Options that are functions. */
type Reports = Readonly<Record<string, Report>>;

/** The request for a session in a worker: `given`, and a port for `answers`. */
export async function createRequest(source: PortableSource, { signal, ...options }: SessionOptions, passage: Passage) {
  const cargo: Cargo = { buffers: new Set(), streams: new Set() };
  const model = (await portableSource(await unkept(source), cargo, passage)) as PortableSource;
  const data = Object.entries(await portableOptions(options, cargo, passage));
  const kept = isKept(source) ? source : undefined;
  const plain = Object.fromEntries(data.filter(([, option]) => typeof option !== 'function'));
  const reports: Reports = Object.fromEntries(data.filter(([, option]) => typeof option === 'function'));
  const settings = await portableSettings(env.wasm);
  const locator = typeof env.wasm.source === 'function' ? env.wasm.source : undefined;
  const offers: Offers = { reports: Object.keys(reports), locates: locator !== undefined, kept: kept?.url };
  return {
    given: [settings, model, transfer(plain, [...cargo.buffers]), offers] as const,
    answers: (fail: (reason: SardonyxError) => void) => {
      const caller: Caller = {
        locate: async (file) => locator && portableBinary(await locator(file)),
        beside: (path) => besideOf(kept as KeptFile, path, signal, cargo.streams),
        report: (name, ...given) => report(reports, name, given, fail),
      };
      return answering(caller, cargo);
    },
  };
}

/** Answers a worker until `leave`, which also ends the streams that it has not read completely. */
function answering(caller: Caller, { streams }: Cargo) {
  const { port1, port2 } = new MessageChannel();
  expose(caller, port1);
  const leave = () => {
    port1.close(); // If the worker was terminated, the answering object would otherwise live as long as the page.
    for (const stream of streams) stream.end();
  };
  return { port: transfer(port2, [port2]), leave };
}

function report(reports: Reports, name: string, given: unknown[], fail: (reason: SardonyxError) => void): void {
  try {
    reports[name]?.(...given);
  } catch (cause) {
    fail(callbackFailed(name, cause));
  }
}

/** An external file of a cached model. */
async function besideOf(kept: KeptFile, path: string, signal: AbortSignal | undefined, streams: Cargo['streams']) {
  const data = await kept.beside(path, { signal });
  const buffers = new Set<Transferable>();
  const portable = data && (await portableSource(await unkept(data), { buffers, streams }, 'copy'));
  return buffers.size > 0 ? transfer(portable as Uint8Array, [...buffers]) : portable;
}
