import { join } from 'node:path';
import { detectionDistance, distance, TOLERANCE } from './agreement.js';
import type { Settings } from './command-line.js';
import { type NamedTensor, seeded, storedSet } from './inputs.js';
import { modelFolder, writtenModel } from './model-folders.js';
import { inOwnProcess } from './processes.js';
import type { Row } from './rows.js';
import type { RuntimeName } from './runtimes.js';
import type { Job, Report } from './worker.js';

export interface Result {
  /** One per round. */
  reports: Report[];
  /** The distance of the outputs from the reference's. */
  distance?: number;
  /** The error if it does not run. */
  error?: string;
}

export interface RowResult {
  name: string;
  threads: number;
  /** Why the row was skipped. */
  skipped?: string;
  /** Source of the expected outputs: `stored`, or a runtime. */
  reference?: string;
  tolerance: number;
  results: Partial<Record<RuntimeName, Result>>;
}

/** Runtimes whose outputs are the reference if none are stored, the most trusted first. */
const REFERENCES: RuntimeName[] = ['onnxruntime-node', 'onnxruntime-web', 'sardonyx'];

/** Runs one row on all runtimes in turn, round by round, so that slow changes of the machine affect all alike. */
export async function measureRow(
  row: Row,
  { modelFolders, runtimes, rounds, seconds, variant, node, threads, counts }: Settings,
  measure: Job['measure'],
  flags: string[] = [],
): Promise<RowResult> {
  const measured: RowResult = {
    name: row.name,
    threads,
    tolerance: TOLERANCE[row.outputs ?? 'values'],
    results: {},
  };
  let folder: string;
  try {
    folder = typeof row.model === 'string' ? modelFolder(row.model, modelFolders) : writtenModel(row.name, row.model());
  } catch (error) {
    return { ...measured, skipped: (error as Error).message };
  }
  const stored = row.inputs ? undefined : storedSet(folder);
  const inputs = stored?.inputs ?? row.inputs?.(seeded()) ?? [];
  const model = join(folder, 'model.onnx');
  const job = { model, inputs, fetches: row.fetches, seconds, variant, threads, counts, measure };
  for (let round = 0; round < rounds; round++) {
    for (const runtime of runtimes) {
      measured.results[runtime] ??= { reports: [] };
      const result = measured.results[runtime];
      if (result.error) continue;
      try {
        result.reports.push(await inOwnProcess<Job, Report>({ ...job, runtime }, { program: 'worker', node, flags }));
      } catch (error) {
        result.error = (error as Error).message;
      }
    }
  }
  compare(measured, stored?.outputs, row.outputs === 'detections' ? detectionDistance : distance);
  return measured;
}

function compare(row: RowResult, stored: NamedTensor[] | undefined, distanceOf: typeof distance): void {
  const outputsOf = (name: RuntimeName) => row.results[name]?.reports[0]?.outputs;
  const trusted = REFERENCES.find(outputsOf);
  const expected = stored ?? (trusted && outputsOf(trusted));
  if (!expected) return;
  row.reference = stored ? 'stored' : (trusted as string);
  for (const result of Object.values(row.results)) {
    const distances = result.reports.map(({ outputs }) => distanceOf(outputs, expected));
    if (distances.length) result.distance = Math.max(...distances);
  }
}

/** A row's problems, one line each. */
export function complaints({ name, threads, skipped, reference, tolerance, results }: RowResult): string[] {
  if (skipped) return [`${name} left out: ${skipped}`];
  return Object.entries(results).flatMap(([runtime, { error, distance = 0, reports }]) => {
    const cores = Math.max(0, ...reports.map(({ timing }) => timing?.cores ?? 0));
    return [
      ...(error ? [`${name}: ${runtime} fails: ${error}`] : []),
      ...(distance > tolerance
        ? [`${name}: ${runtime} DISAGREES with ${reference}: ${distance.toExponential(1)}`]
        : []),
      ...(cores >= threads + 0.5 ? [`${name}: ${runtime} kept ${cores.toFixed(2)} cores busy`] : []),
    ];
  });
}

/** Whether every runtime ran and agrees; skipped rows do not count. */
export const isSound = ({ results, tolerance }: RowResult): boolean =>
  Object.values(results).every(({ error, distance = 0 }) => !error && distance <= tolerance);
