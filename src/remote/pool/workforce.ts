import { aborted } from '../../base/aborted.js';
import { SardonyxError } from '../../base/errors.js';
import { onAbort } from '../../base/on-abort.js';
import type { Results } from '../../session/inference-session.js';
import type { WorkerSession } from '../worker/worker-session.js';

/** One call, which any worker can run. */
export interface Job {
  readonly run: (session: WorkerSession) => Promise<Results>;
  readonly signal: AbortSignal | undefined;
  /** Whether it can be repeated if its worker dies. */
  readonly repeatable: boolean;
}

interface Waiting extends Job {
  readonly resolve: (results: Results) => void;
  readonly reject: (error: unknown) => void;
  /** Stops listening to the signal. */
  readonly forget: () => void;
  attempts: number;
}

const MOST_ATTEMPTS = 2;

const hasDied = (error: unknown) => error instanceof SardonyxError && error.code === 'WORKER_FAILED';

/** Sessions that take jobs from one queue, each one at a time. A session whose worker dies is replaced. */
export class Workforce {
  readonly #sessions: Set<WorkerSession>;
  #idle: WorkerSession[];
  readonly #queue: Waiting[] = [];
  readonly #jobs = new Set<Promise<unknown>>();
  /** Number of replacements being started. */
  #expected = 0;
  #lost: unknown;
  /** The intended number of sessions. */
  readonly #wanted: number;
  #isDismissed = false;

  constructor(
    sessions: readonly WorkerSession[],
    private readonly replacement: () => Promise<WorkerSession>,
  ) {
    this.#sessions = new Set(sessions);
    this.#idle = [...sessions];
    this.#wanted = sessions.length;
  }

  /** Number of live sessions. */
  get size(): number {
    return [...this.#sessions].filter(({ hasEnded }) => !hasEnded).length;
  }

  /** Number of jobs that no session has taken yet. */
  get queued(): number {
    return this.#queue.length;
  }

  do(job: Job): Promise<Results> {
    if (job.signal?.aborted) return Promise.reject(aborted(job.signal));
    const done = new Promise<Results>((resolve, reject) => {
      const forget = onAbort(job.signal, () => this.#drop(waiting));
      const waiting: Waiting = { ...job, resolve, reject, forget, attempts: 0 };
      this.#queue.push(waiting);
    });
    const settled: Promise<unknown> = done.catch(() => {}).then(() => this.#jobs.delete(settled));
    this.#jobs.add(settled);
    this.#assign();
    // Retries a failed replacement, because its cause may be gone.
    if (this.#sessions.size + this.#expected < this.#wanted) void this.#replace();
    return done;
  }

  /** Replaces sessions whose worker has died since their last job. */
  #replaceDead(): void {
    for (const session of this.#idle.filter(({ hasEnded }) => hasEnded)) this.#lose(session);
    this.#idle = this.#idle.filter(({ hasEnded }) => !hasEnded);
  }

  #lose(session: WorkerSession): void {
    this.#sessions.delete(session);
    void this.#replace();
  }

  #drop(job: Waiting): void {
    const place = this.#queue.indexOf(job);
    if (place < 0) return;
    this.#queue.splice(place, 1);
    this.#refuse(job, aborted(job.signal as AbortSignal));
  }

  #assign(): void {
    this.#replaceDead();
    while (this.#queue.length > 0 && this.#idle.length > 0)
      this.#work(this.#idle.pop() as WorkerSession, this.#queue.shift() as Waiting);
  }

  async #work(session: WorkerSession, job: Waiting): Promise<void> {
    job.attempts++;
    try {
      job.resolve(await job.run(session));
      job.forget();
      this.#idle.push(session);
    } catch (error) {
      if (hasDied(error)) this.#mourn(session, job, error);
      else {
        this.#refuse(job, error);
        await session.idle;
        this.#idle.push(session);
      }
    }
    this.#assign();
  }

  #refuse(job: Waiting, error: unknown): void {
    job.forget();
    job.reject(error);
  }

  #mourn(session: WorkerSession, job: Waiting, error: unknown): void {
    if (job.repeatable && job.attempts < MOST_ATTEMPTS && !job.signal?.aborted) this.#queue.unshift(job);
    else this.#refuse(job, error);
    this.#lose(session);
  }

  async #replace(): Promise<void> {
    this.#expected++;
    try {
      const session = await this.replacement();
      if (this.#isDismissed) return await session.release();
      this.#sessions.add(session);
      this.#idle.push(session);
    } catch (error) {
      this.#lost = error;
    } finally {
      this.#expected--;
    }
    if (this.#sessions.size + this.#expected === 0)
      for (const job of this.#queue.splice(0)) this.#refuse(job, this.#lost);
    this.#assign();
  }

  /** Runs `work` with every session, after the jobs of each. */
  async withAll(work: (session: WorkerSession) => Promise<void>): Promise<void> {
    await Promise.all([...this.#sessions].map(work));
  }

  /** Ends the workers when all jobs are done. */
  async dismiss(): Promise<void> {
    while (this.#jobs.size > 0) await Promise.all(this.#jobs);
    this.#isDismissed = true;
    await Promise.all([...this.#sessions].map((session) => session.release()));
    this.#sessions.clear();
  }
}
