import { pathToFileURL } from 'node:url';
import type { Feeds } from '../../session/feeds.js';
import type { ElementType } from '../../tensor/element-types.js';
import { type HostValue, isTensorValue, type TensorValue } from '../../tensor/tensor-value.js';
import { plain } from '../../tools/compare/side.js';
import type { Answer, OnnxruntimeTask } from './child.js';
import { serveSessions } from './serve-sessions.js';
import type { SessionsTask } from './sessions-task.js';
import { trialOf } from './trial.js';

/** The parts of onnxruntime-common that are used here. */
interface Runtime {
  readonly InferenceSession: { create(model: string | Uint8Array, options: object): Promise<Session> };
  readonly Tensor: new (type: string, data: unknown, dims: readonly number[]) => Tensor;
  readonly env: { readonly wasm?: { numThreads?: number } };
}

interface Session {
  readonly outputMetadata: readonly { readonly name: string; readonly isTensor: boolean }[];
  run(feeds: Record<string, Tensor>, fetches: readonly string[]): Promise<Record<string, Tensor>>;
  release(): Promise<void>;
}

interface Tensor {
  readonly type: ElementType;
  readonly dims: readonly number[];
  readonly data: TensorValue['data'];
}

/** Serves the first message of the parent process: one task, or requests for sessions. */
export async function servePeer(): Promise<void> {
  const task = await new Promise<OnnxruntimeTask | SessionsTask>((resolve) => process.once('message', resolve));
  if ('sessionsOf' in task) return serveSessions(task);
  const answer: Answer = await trial(task).then(
    (trial) => ({ trial }),
    (error) => ({ error: String(error?.message ?? error) }),
  );
  await new Promise((resolve) => process.send?.(answer, resolve));
  process.disconnect();
}

/** With captures the graph stays unoptimized: onnxruntime 1.30 crashes if optimization has removed a captured value. */
const levelFor = (extraOutputs: readonly string[]) => (extraOutputs.length > 0 ? 'disabled' : 'all');

async function trial({ entry, threads, model, extraOutputs, feeds, runs }: OnnxruntimeTask) {
  const module = await import(pathToFileURL(entry).href);
  const runtime: Runtime = module.InferenceSession ? module : module.default;
  if (runtime.env.wasm) runtime.env.wasm.numThreads = threads;
  const graphOptimizationLevel = levelFor(extraOutputs);
  const options = { graphOptimizationLevel, intraOpNumThreads: threads, interOpNumThreads: 1, logSeverityLevel: 3 };
  return trialOf(async () => runnable(runtime, await runtime.InferenceSession.create(model, options)), feeds, runs);
}

/** Leaves out outputs that are not tensors: onnxruntime has no JavaScript values for them. */
function runnable({ Tensor }: Runtime, session: Session) {
  const fetches = session.outputMetadata.filter(({ isTensor }) => isTensor).map(({ name }) => name);
  if (fetches.length === 0) throw new Error('the model has no tensor outputs');
  return {
    async run(feeds: Feeds) {
      const tensors = Object.entries(feeds).map(([name, value]) => [name, tensorOf(Tensor, name, value)] as const);
      const results = await session.run(Object.fromEntries(tensors), fetches);
      return Object.fromEntries(Object.entries(results).map(([name, tensor]) => [name, plain(tensor)]));
    },
    release: () => session.release(),
  };
}

function tensorOf(Tensor: Runtime['Tensor'], name: string, value: HostValue): Tensor {
  if (!isTensorValue(value))
    throw new Error(`the input "${name}" is not a tensor, and onnxruntime accepts only tensors`);
  return new Tensor(value.type, value.data, value.dims);
}
