import { aborted } from '../../base/aborted.js';
import { SardonyxError } from '../../base/errors.js';
import type { InferenceSession } from '../../session/inference-session.js';
import type { SessionOptions } from '../../session/options.js';
import { expectedOf, feedsOf } from '../conformance/values.js';
import { readValueFile } from '../read-value-file.js';
import { judge, type VerifiedOutput } from './finding.js';
import type { FolderTrial } from './trials-in.js';
import { type Bounds, TOLERANCE } from './within.js';

/** Options of `verifyModels`. */
export interface VerifyOptions extends Bounds {
  /** Options for the sessions. */
  readonly session?: SessionOptions | undefined;
  /** Aborts the verification. */
  readonly signal?: AbortSignal | undefined;
  /** Called before a model is loaded and before each data set runs. */
  readonly onProgress?: ((progress: VerifyProgress) => void) | undefined;
}

/** The progress of `verifyModels`. */
export interface VerifyProgress {
  /** The number of finished models. */
  readonly done: number;
  /** The number of models. */
  readonly total: number;
  /** The path of the current model. */
  readonly model: string;
  /** The current data set; undefined while the model is loaded. */
  readonly set?: string;
  /** The results so far. */
  readonly outputs: readonly VerifiedOutput[];
}

/** The result of `verifyModels`, which `sardonyx verify --json` prints. */
export interface Verification {
  /** The tolerance of floating-point outputs. */
  readonly tolerance: number;
  /** The number of outputs out of tolerance and of errors. */
  readonly failed: number;
  /** The results of all outputs. */
  readonly outputs: readonly VerifiedOutput[];
}

/**
 * Runs trials in turn. Errors become findings.
 * @throws SardonyxError ABORTED
 */
export async function verifyTrials(trials: readonly FolderTrial[], options: VerifyOptions): Promise<Verification> {
  const { tolerance = TOLERANCE, onProgress } = options;
  const outputs: VerifiedOutput[] = [];
  for (const [done, trial] of trials.entries()) {
    const tell = (set?: string) =>
      onProgress?.({ done, total: trials.length, model: trial.name, outputs, ...(set !== undefined && { set }) });
    await verifyTrial(trial, options, outputs, tell);
  }
  return { tolerance, failed: outputs.filter(({ passed }) => !passed).length, outputs };
}

/** Runs all data sets of a model in one session. */
async function verifyTrial(
  trial: FolderTrial,
  { session: settings, signal, ...bounds }: VerifyOptions,
  outputs: VerifiedOutput[],
  tell: (set?: string) => void,
): Promise<void> {
  const model = trial.name;
  let set = '';
  let session: InferenceSession | undefined;
  try {
    tell();
    if (signal?.aborted) throw aborted(signal, 'the verification');
    session = await (await import('../../session/inference-session.js')).InferenceSession.create(trial.model, {
      ...settings,
      ...(signal && { signal }),
    });
    for (const data of trial.dataSets) {
      set = data.name;
      tell(set);
      const { graph } = session.model;
      const results = await session.run(
        await feedsOf(graph.inputs, data, readValueFile),
        signal ? { signal } : undefined,
      );
      const expected = await expectedOf(graph.outputs, data, readValueFile);
      for (const output of graph.outputs) {
        if (!Object.hasOwn(expected, output.name)) continue;
        const wanted = expected[output.name] ?? null;
        outputs.push({ model, set, ...judge(output, results[output.name] ?? null, wanted, bounds) });
      }
    }
  } catch (error) {
    if (!(error instanceof SardonyxError) || signal?.aborted) throw error;
    const nothing = { output: '', type: '', relativeL2: null, maxAbs: null };
    outputs.push({ model, set, ...nothing, passed: false, problem: error.message });
  } finally {
    await session?.release();
  }
}
