// Timing of programs; loaded with the first timed run.

import { type Engine, STEP_BYTES, type TeamPlace } from '../../../../bindings/engine.js';
import { compile } from '../../../../bindings/load.js';
import { kernelSize, writeParams } from '../../../../bindings/parameters.js';
import { inlineTiming } from '../../../../build/inline-timing.js';
import { kernels, ShareLayout } from '../../../../build/timing-kernels.js';
import type { Team } from '../../../../workers/team.js';
import type { Share } from '../../noted-step.js';
import type { StepTimer } from '../../step-timer.js';
import type { Launch } from '../plan/launch.js';
import { STEP_PARAMS, STEP_PHASE, tilesOf } from '../plan/program.js';
import { factsLater, type Stage } from '../plan/stage.js';
import type { Steps } from './steps.js';

/** Runs steps, and reports each thread's share of them. */
interface Watch {
  /** Like `Engine.run`, for one step. */
  run(program: number, index: number, tiles: number): boolean;
  /** The shares of the last step, which began at `started` by this thread's clock. */
  shares(started: number): readonly Share[] | undefined;
}

/** Runs programs step by step, and times each step. */
class TimedSteps implements Steps {
  #started = 0;

  constructor(
    readonly timer: StepTimer,
    readonly watch: Watch,
  ) {}

  runStep(engine: Engine, stage: Stage, _arenaBase: number, index: number): boolean {
    const { program } = stage;
    const { node, kernel } = program.launches[index] as Launch;
    const tiles = tilesOf(engine, program, index, index + 1);
    if (!engine.isWaiting) this.#started = this.timer.start();
    if (!this.watch.run(program.address, index, tiles)) return false;
    const shares = this.watch.shares(this.#started);
    this.timer.stop(this.#started, { node, provider: 'wasm', kernel, tiles, shares, facts: factsLater(stage) });
    return true;
  }
}

/** Creates timed steps for an engine's programs, with the share of each thread if there are several. */
export async function timedStepsOf(engine: Engine, team: Team | null): Promise<(timer: StepTimer) => Steps> {
  const watch = engine.team && team ? await watchTeam(engine, engine.team, team) : watchOne(engine);
  return (timer) => new TimedSteps(timer, watch);
}

const watchOne = (engine: Engine): Watch => ({
  run: (program, index, tiles) => engine.run(program, index, index + 1, 0, tiles),
  shares: () => undefined,
});

async function watchTeam(engine: Engine, { scratch }: TeamPlace, team: Team): Promise<Watch> {
  const binary = Uint8Array.from(atob(inlineTiming), (character) => character.charCodeAt(0));
  engine.extend(await compile(binary, true), { kernels });
  await team.joinAgain();
  // The caller's share is the last.
  const places = new Shares(engine, [...scratch, 0]);
  const step = engine.allocate(STEP_BYTES + kernelSize('timed'));
  return {
    run(program, index, tiles) {
      if (engine.isWaiting) return engine.run(step, 0, 1, 0, tiles);
      places.clear();
      const words = engine.i32.subarray((program + index * STEP_BYTES) / 4);
      const [kernel, params, phase] = [0, STEP_PARAMS, STEP_PHASE].map((word) => words[word]) as [
        number,
        number,
        number,
      ];
      writeParams(engine.view, step + STEP_BYTES, 'timed', { kernel, params, shares: places.address }, Number);
      engine.i32.set([engine.kernelIndex.timed, step + STEP_BYTES, tiles, 0, phase], step / 4);
      return engine.run(step, 0, 1, 0, tiles);
    },
    shares: (started) => places.since(performance.timeOrigin + started),
  };
}

/** Each thread's share of a step, in linear memory. */
class Shares {
  readonly address: number;

  constructor(
    readonly engine: Engine,
    readonly scratch: readonly number[],
  ) {
    this.address = engine.allocate(scratch.length * ShareLayout.Bytes);
  }

  clear(): void {
    const { engine, address, scratch } = this;
    engine.u8.fill(0, address, address + scratch.length * ShareLayout.Bytes);
    for (const [i, block] of scratch.entries()) engine.view.setUint32(address + i * ShareLayout.Bytes, block, true);
  }

  /** The shares of threads that computed tiles; the caller is number 0. */
  since(started: number): Share[] {
    const {
      engine: { view },
      address,
      scratch,
    } = this;
    const all = scratch.map((_, i) => {
      const at = address + i * ShareLayout.Bytes;
      const begin = view.getFloat64(at + ShareLayout.Begin, true);
      const milliseconds = view.getFloat64(at + ShareLayout.End, true) - begin;
      const tiles = view.getInt32(at + ShareLayout.Tiles, true);
      return { thread: (i + 1) % scratch.length, tiles, after: begin - started, milliseconds };
    });
    return all.filter(({ tiles }) => tiles > 0).sort((a, b) => a.thread - b.thread);
  }
}
