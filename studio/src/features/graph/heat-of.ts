import type { Heat } from '../../canvas/paint/heat.js';
import type { Heat as Shown } from '../../store/workspace.js';
import { digits, formatBytes, formatCount, formatMilliseconds } from '../../ui/quantities.js';

const WORDS: Readonly<Record<string, (value: number) => string>> = {
  ms: formatMilliseconds,
  B: formatBytes,
  bytes: formatBytes,
  '': formatCount,
  number: digits,
};

export const heatOf = ({ byNode, byModule, from, unit }: Shown): Heat => ({
  byNode,
  byModule,
  from,
  spread: 'linear',
  words: WORDS[unit] ?? ((value) => `${digits(value)} ${unit}`),
});
