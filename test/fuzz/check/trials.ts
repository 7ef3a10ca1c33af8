import { ModelProto } from '../../../build/onnx.js';
import { SardonyxError } from '../../../src/base/errors.js';
import { decode } from '../../../src/model/read-protobuf.js';
import { checkModel, type Issue } from '../../../src/tools/check/index.js';
import { specimen } from '../files/corpus.js';
import { randomOf, seedOf } from '../files/random.js';
import { damagedFile } from '../files/trial.js';

export interface Task {
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  /** One of how many trials infers types and shapes, too. */
  readonly fullEvery: number;
}

export interface Tally {
  /** What became of how many: by the first issue's code, `valid`, or `no message`. */
  readonly counts: Map<string, number>;
  readonly findings: { readonly trial: number; readonly problem: string }[];
}

/** Models that are drawn from: making one takes longer than to damage and check it. */
const SPECIMENS = 500;

const made = new Map<number, Uint8Array>();

function specimenBytes(i: number): Uint8Array {
  const known = made.get(i) ?? specimen(randomOf(seedOf(i))).bytes;
  made.set(i, known);
  return known;
}

const MOST_ISSUES = 100;

/** Checks damaged models: whatever is thrown, or is no issue with a place, is a finding. */
export async function checkDamaged(task: Task): Promise<Tally> {
  const counts = new Map<string, number>();
  const findings: { trial: number; problem: string }[] = [];
  for (let trial = task.from; trial < task.to; trial++) {
    let word = 'thrown';
    try {
      word = await outcome(task.seed, trial, trial % task.fullEvery === 0);
    } catch (error) {
      findings.push({ trial, problem: (error as Error).stack ?? String(error) });
    }
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return { counts, findings };
}

async function outcome(seed: number, number: number, full: boolean): Promise<string> {
  const random = randomOf(seedOf(seed, number));
  const model = decoded(damagedFile(specimenBytes(random.below(SPECIMENS)), random));
  if (!model) return 'no message';
  const issues = await checkModel(model, { full, limit: MOST_ISSUES });
  if (issues.length > MOST_ISSUES) throw new Error(`${issues.length} issues; ${MOST_ISSUES} are the most`);
  for (const issue of issues) if (!isPlaced(issue)) throw new Error(`no place: ${JSON.stringify(issue)}`);
  return issues[0]?.code ?? 'valid';
}

const isPlaced = ({ path, message, code }: Issue): boolean =>
  /^[a-z]\w*/.test(path) && message !== '' && code !== undefined;

function decoded(bytes: Uint8Array): ModelProto | undefined {
  try {
    return decode(ModelProto, bytes, 'ONNX model');
  } catch (error) {
    if (error instanceof SardonyxError) return undefined;
    throw error;
  }
}
