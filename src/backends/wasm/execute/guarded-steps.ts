import type { Engine } from '../../../../bindings/engine.js';
import { SardonyxError } from '../../../base/errors.js';
import type { Launch } from '../plan/launch.js';
import type { Buffer } from '../plan/places.js';
import { tilesOf } from '../plan/program.js';
import type { Stage } from '../plan/stage.js';
import type { Steps } from './steps.js';

const ALIGNMENT = 64;
/** Floats of these bytes are NaN. */
const POISON = 0xff;
const GUARD = 0xfe;

/**
 * Runs programs step by step and checks what kernels do: memory that a buffer takes over is poisoned, so that reads
 * before writes show, and the zones around every live buffer must stay as they are.
 */
export class GuardedSteps implements Steps {
  constructor(private readonly guardBytes: number) {}

  runStep(engine: Engine, { program, buffers }: Stage, arenaBase: number, index: number): boolean {
    const launch = program.launches[index] as Launch;
    const live = buffers.filter((b) => b.first <= launch.position && launch.position <= b.last);
    const zones = live.flatMap((b) => this.#zonesAround(engine, arenaBase, b));
    if (!engine.isWaiting) {
      for (const zone of zones) zone.fill(GUARD);
      for (const { first, offset, capacity } of live)
        if (first === launch.position) engine.u8.fill(POISON, arenaBase + offset, arenaBase + offset + capacity);
    }
    if (!engine.run(program.address, index, index + 1, 0, tilesOf(engine, program, index, index + 1))) return false;
    if (zones.some((zone) => zone.some((byte) => byte !== GUARD))) throw overrun(launch);
    return true;
  }

  #zonesAround({ u8 }: Engine, arenaBase: number, { offset, capacity }: Buffer): [Uint8Array, Uint8Array] {
    const [start, end] = [arenaBase + offset, arenaBase + offset + capacity];
    const next = Math.ceil(end / ALIGNMENT) * ALIGNMENT + this.guardBytes;
    return [u8.subarray(start - this.guardBytes, start), u8.subarray(end, next)];
  }
}

const overrun = ({ kernel, node }: Launch) =>
  new SardonyxError('INTERNAL', `kernel ${kernel} writes outside the memory it was given`, {
    node: node.name,
    operator: node.op,
  });
