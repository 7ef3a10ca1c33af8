import type { Heat } from '../../store/workspace.js';
import { digits } from '../../ui/quantities.js';
import type { Costs } from './attribution.js';

export type HeatId = 'time' | 'multiplyAdds' | 'bytes' | 'speed';

/** The figures that can colour the graph. */
export const HEATS: Readonly<Record<HeatId, (costs: Costs, ofModules: Costs) => Heat>> = {
  time: ({ milliseconds }) => ({ title: 'Time', unit: 'ms', byNode: milliseconds }),
  multiplyAdds: ({ multiplyAdds }) => ({ title: 'Multiply-adds', unit: '', byNode: multiplyAdds }),
  bytes: ({ bytes }) => ({ title: 'Bytes moved', unit: 'B', byNode: bytes }),
  speed: (costs, ofModules) => ({
    title: 'GFLOP/s',
    unit: 'GFLOP/s',
    byNode: speeds(costs),
    byModule: speeds(ofModules),
  }),
};

const speeds = ({ multiplyAdds, milliseconds }: Costs): Float64Array =>
  multiplyAdds.map((count, i) => (count > 0 ? gigaflops(count, milliseconds[i] as number) : Number.NaN));

export const HEAT_TITLES: readonly (readonly [HeatId, string])[] = [
  ['time', 'Time'],
  ['multiplyAdds', 'Multiply-adds'],
  ['bytes', 'Bytes moved'],
  ['speed', 'GFLOP/s'],
];

/** Display text; empty if no time has passed by the clock, which some browsers round to a millisecond or more. */
export const formatGigaflops = (multiplyAdds: number, milliseconds: number): string =>
  multiplyAdds > 0 && milliseconds > 0 ? digits(gigaflops(multiplyAdds, milliseconds)) : '';

/** Counts two operations per multiply-add. */
export const gigaflops = (multiplyAdds: number, milliseconds: number): number =>
  milliseconds > 0 ? (2 * multiplyAdds) / (milliseconds * 1e6) : Number.NaN;
