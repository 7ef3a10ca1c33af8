import type { Heat } from '../canvas/paint/heat.js';
import { digits, formatBytes, formatCount, formatMilliseconds } from '../design/quantities.js';
import type { Heat as Shown } from '../workspace/workspace.js';

const WORDS: Readonly<Record<string, (value: number) => string>> = {
  ms: formatMilliseconds,
  B: formatBytes,
  bytes: formatBytes,
  '': formatCount,
};

export const heatOf = ({ byNode, byModule, unit }: Shown): Heat => ({
  byNode,
  byModule,
  spread: 'linear',
  words: WORDS[unit] ?? ((value) => `${digits(value)} ${unit}`),
});
