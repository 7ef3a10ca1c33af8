import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SardonyxError } from '../../errors.js';
import { addOutputs } from '../../graph/extra-outputs.js';
import type { Feeds } from '../../session/feeds.js';
import { openModel } from '../../session/open-model.js';
import type { ElementType } from '../../tensor/element-types.js';
import { type HostValue, isTensorValue, type TensorValue } from '../../tensor/tensor-value.js';
import { UsageError } from '../usage-error.js';
import { writeModelFile } from '../write-model-file.js';
import type { Peer, PeerOptions, PeerSession } from './peer.js';

/** Writes the model anew where it is to give out more. */
async function withOutputs<T>(
  source: string | Uint8Array,
  names: readonly string[],
  use: (model: string | Uint8Array) => Promise<T>,
): Promise<T> {
  if (names.length === 0) return use(source);
  const model = await openModel(source, {});
  addOutputs(model.graph, names);
  const folder = mkdtempSync(join(tmpdir(), 'sardonyx-compare-'));
  try {
    const path = join(folder, 'model.onnx');
    writeModelFile(path, model);
    return await use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What onnxruntime-common declares, as far as it is used here. */
interface Runtime {
  readonly InferenceSession: {
    create(model: string | Uint8Array, options: object): Promise<Session>;
  };
  readonly Tensor: new (type: string, data: unknown, dims: readonly number[]) => Tensor;
  readonly env: { readonly wasm?: { numThreads?: number } };
}

interface Session {
  run(feeds: Record<string, Tensor>): Promise<Record<string, Tensor>>;
  release(): Promise<void>;
}

interface Tensor {
  readonly type: ElementType;
  readonly dims: readonly number[];
  readonly data: TensorValue['data'];
}

/** One of onnxruntime's packages, as the project in `folder` has it. */
export async function onnxruntime(name: string, { threads, folder }: PeerOptions): Promise<Peer> {
  const { runtime, version } = await load(name, folder);
  if (runtime.env.wasm) runtime.env.wasm.numThreads = threads;
  const options = { intraOpNumThreads: threads, interOpNumThreads: 1, logSeverityLevel: 3 };
  return {
    name: `${name} ${version}`,
    create: (model, extraOutputs) =>
      withOutputs(model, extraOutputs, async (given) =>
        sessionOf(name, runtime, await refusedBy(name, runtime.InferenceSession.create(given, options))),
      ),
  };
}

async function load(name: string, folder: string): Promise<{ runtime: Runtime; version: string }> {
  const require = createRequire(join(folder, 'package.json'));
  const entry = resolve(require, name);
  if (!entry) throw new UsageError(`${name} is not installed here: npm install ${name}`);
  const module = await import(pathToFileURL(entry).href);
  return { runtime: module.InferenceSession ? module : module.default, version: versionBeside(entry, name) };
}

function resolve(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined;
  }
}

/** The version in the package.json of the folder, or one above, that an entry point lies in. */
function versionBeside(entry: string, name: string): string {
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      if (manifest.name === name) return manifest.version;
    } catch {}
  }
  return '';
}

const sessionOf = (name: string, { Tensor }: Runtime, session: Session): PeerSession => ({
  async run(feeds: Feeds) {
    const tensors = Object.entries(feeds).map(
      ([input, value]) => [input, tensorOf(Tensor, name, input, value)] as const,
    );
    const results = await refusedBy(name, session.run(Object.fromEntries(tensors)));
    return Object.fromEntries(Object.entries(results).map(([output, tensor]) => [output, tensorValueOf(tensor)]));
  },
  release: () => session.release(),
});

function tensorOf(Tensor: Runtime['Tensor'], name: string, input: string, value: HostValue): Tensor {
  if (!isTensorValue(value))
    throw new SardonyxError('UNSUPPORTED_TYPE', `${name} for JavaScript takes tensors only`, { value: input });
  return new Tensor(value.type, value.data, value.dims);
}

/** Newer engines have an array of half floats, where Sardonyx has their bits. */
function tensorValueOf({ type, dims, data }: Tensor): TensorValue {
  const isBits = type !== 'float16' || data instanceof Uint16Array || !ArrayBuffer.isView(data);
  return { type, dims: [...dims], data: isBits ? data : new Uint16Array(data.buffer, data.byteOffset, data.length) };
}

const refusedBy = <T>(name: string, work: Promise<T>): Promise<T> =>
  work.catch((cause) => {
    throw new SardonyxError('INTERNAL', `${name} says: ${(cause as Error).message ?? cause}`, {}, { cause });
  });
