import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { randomOf } from './random.js';
import { isLate, type Report, type Task } from './task.js';

export interface Finding {
  readonly trial: number;
  readonly problem: string;
}

export interface Tally {
  readonly trials: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly findings: readonly Finding[];
  /** The most that a process has taken. */
  readonly megabytes: number;
  readonly processes: number;
}

/**
 * Tries `from` to `to` in processes of their own, one after the other: a new one goes on behind the trial that ended the
 * last.
 */
export async function tryAll(task: Task, onFinding: (finding: Finding) => void = () => {}): Promise<Tally> {
  const counts = new Map<string, number>();
  const findings: Finding[] = [];
  let [next, megabytes, processes] = [task.from, 0, 0];
  const found = (finding: Finding) => {
    findings.push(finding);
    onFinding(finding);
  };
  while (next < task.to && !isLate(task)) {
    processes++;
    let [begun, hasEnded, hasProblem] = [next - 1, false, false];
    const begin = next;
    const { code, errors } = await inProcess({ ...task, from: next }, (report) => {
      if (report.kind === 'begins') begun = report.trial;
      else if (report.kind === 'ended') hasEnded = true;
      else if (report.kind === 'problem') {
        hasProblem = report.trial === begun;
        found({ trial: report.trial, problem: report.problem });
      } else {
        for (const [word, count] of Object.entries(report.counts)) counts.set(word, (counts.get(word) ?? 0) + count);
        megabytes = Math.max(megabytes, report.megabytes);
        next = report.next;
      }
    });
    if (hasEnded) continue;
    if (begun < begin) throw new Error(`the process that tries ended before it began, ${code}: ${errors}`);
    if (!hasProblem) found({ trial: begun, problem: `ends the process, ${code}: ${errors.slice(-500)}` });
    counts.set('no end', (counts.get('no end') ?? 0) + 1);
    next = begun + 1;
  }
  return { trials: next - task.from, counts, findings, megabytes, processes };
}

interface Ended {
  /** Its exit code, or the signal that ended it. */
  readonly code: string;
  readonly errors: string;
}

function inProcess(task: Task, onReport: (report: Report) => void): Promise<Ended> {
  const script = fileURLToPath(new URL('child.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text) => {
    errors = (errors + text).slice(-4000);
  });
  createInterface({ input: child.stdout }).on('line', (line) => onReport(JSON.parse(line)));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code: signal ?? `${code}`, errors }));
  });
}

/** The damages of a trial without which its problem is gone; all of those given where it cannot be seen again. */
export async function minimized(task: Pick<Task, 'seed' | 'only'>, trial: number, count: number): Promise<number[]> {
  const alone = (kept: readonly number[]) => tryAll({ ...task, from: trial, to: trial + 1, kept });
  let kept = Array.from({ length: count }, (_, i) => i);
  for (const left of [...kept]) {
    const fewer = kept.filter((i) => i !== left);
    if (fewer.length > 0 && (await alone(fewer)).findings.length > 0) kept = fewer;
  }
  return kept;
}

/** A problem without its figures: those that are the same have one cause. */
export const causeOf = (problem: string): string =>
  problem
    .replaceAll(/:\d+:\d+/g, '')
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/\d+/g, 'n');

export const freshSeed = (): number => randomOf(Date.now() ^ process.pid).below(2 ** 31);
