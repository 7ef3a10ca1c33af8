import { feeding, sessionWith } from '../../store/session.js';
import { documents } from '../../store/workers/documents.js';
import { hasOnnxruntime, MISSING, openOnnxruntime } from '../../store/workers/onnxruntime-web.js';
import { runs } from '../../store/workers/runs.js';
import { sharesMemory } from '../../store/workers/sharing.js';
import type { OpenedDocument } from '../../workers/contracts/documents.js';
import type { Settings } from '../../workers/contracts/settings.js';
import { describeSettings } from '../session/describe-settings.js';
import { quantile } from '../session/quantile.js';

/** A runtime and its settings. */
export type Contender =
  | { readonly kind: 'sardonyx'; readonly settings: Settings }
  | { readonly kind: 'onnxruntime-web' };

/** A prepared contender; `time` returns the milliseconds of a run. */
interface Ready {
  readonly title: string;
  time(): Promise<number>;
  close(): void;
}

export interface Bout {
  readonly titles: readonly [string, string];
  readonly medians: readonly [number, number];
  /** Milliseconds of both in each round. */
  readonly rounds: readonly (readonly [number, number])[];
  /** The second median divided by the first. */
  readonly ratio: number;
}

interface Course {
  readonly rounds: number;
  readonly signal: AbortSignal;
  readonly progress: (part: number) => void;
}

const WARM_UP = 2;

/** Alternates the runs of two contenders, so that other load on the machine affects both. */
export async function bout(
  document: OpenedDocument,
  contenders: readonly [Contender, Contender],
  { rounds, signal, progress }: Course,
): Promise<Bout> {
  const ready: Ready[] = [];
  try {
    for (const contender of contenders) ready.push(await prepared(document, contender));
    const [one, other] = ready as [Ready, Ready];
    for (let i = 0; i < WARM_UP; i++) for (const each of ready) await each.time();
    const times: [number, number][] = [];
    for (let i = 0; i < rounds; i++) {
      signal.throwIfAborted();
      times.push([await one.time(), await other.time()]);
      progress((i + 1) / rounds);
    }
    return resultOf([one.title, other.title], times);
  } finally {
    for (const each of ready) each.close();
  }
}

function resultOf(titles: Bout['titles'], rounds: readonly (readonly [number, number])[]): Bout {
  const median = (which: 0 | 1) =>
    quantile(
      Float64Array.from(rounds, (round) => round[which]),
      0.5,
    );
  const medians = [median(0), median(1)] as const;
  return { titles, medians, rounds, ratio: medians[1] / medians[0] };
}

const prepared = (document: OpenedDocument, contender: Contender): Promise<Ready> =>
  contender.kind === 'sardonyx' ? sardonyx(document, contender.settings) : onnxruntime(document);

async function sardonyx(document: OpenedDocument, settings: Settings): Promise<Ready> {
  const session = await sessionWith(document, settings);
  if (!session) throw new Error('cannot create the session');
  const { id } = session;
  return {
    title: `Sardonyx, ${describeSettings(settings)}`,
    time: () => runs.time(id, feeding()),
    close: () => void runs.close(id),
  };
}

/** Uses as many threads as Sardonyx. */
async function onnxruntime(document: OpenedDocument): Promise<Ready> {
  if (!(await hasOnnxruntime())) throw new Error(MISSING);
  const threads = sharesMemory ? Math.min(8, navigator.hardwareConcurrency) : 1;
  const files = await documents.files(document.id);
  const peer = await openOnnxruntime(files, { threads, level: 'all' });
  try {
    await peer.run(await runs.feeds(files, feeding()));
  } catch (error) {
    peer.close();
    throw error;
  }
  return { title: `onnxruntime-web ${peer.version}, ${threads} threads`, time: () => peer.time(), close: peer.close };
}
