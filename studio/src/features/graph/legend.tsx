import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { BADGES } from '../../canvas/paint/dress.js';
import { heat, type Mark, marks, setHeat, setMarks } from '../../store/workspace.js';
import { Icon } from '../../ui/icon.js';
import { formatCount } from '../../ui/quantities.js';
import { heatOf } from './heat-of.js';

/** The value of the hottest node. */
export const most = signal(0);

/** Legends for the colours and marks of the drawing, with buttons to remove them. */
export const Legends = () => (
  <div class="legends">
    {marks.value.size > 0 && <Marks />}
    {heat.value && <Colours />}
  </div>
);

function Colours() {
  const shown = heat.value;
  if (!shown) return null;
  const { words } = heatOf(shown);
  const [from, to] = [shown.from === undefined ? '' : words(shown.from), words(most.value)];
  return (
    <Legend
      label={`Colors: ${shown.title}, ${from && `from ${from} `}up to ${to} per node`}
      away="Clear colors"
      onAway={() => {
        setHeat(null);
      }}
    >
      <span>{shown.title}</span>
      {from && <span class="number">{from}</span>}
      <span class="ramp" />
      <span class="number">{to} per node</span>
    </Legend>
  );
}

function Marks() {
  const counts = countsOf(marks.value);
  return (
    <Legend
      label={`Marks: ${counts.map(({ words }) => words).join(', ')}`}
      away="Clear marks"
      onAway={() => {
        setMarks(new Map());
      }}
    >
      {counts.map(({ glyph, words }) => (
        <span key={glyph}>
          <strong>{glyph}</strong> {words}
        </span>
      ))}
    </Legend>
  );
}

/** The number of nodes with each mark in use, in display order. */
function countsOf(found: ReadonlyMap<number, Mark>): { glyph: string; words: string }[] {
  const all = [...found.values()];
  return BADGES.map(({ name, glyph, says }) => ({ glyph, says, count: all.filter((mark) => mark === name).length }))
    .filter(({ count }) => count > 0)
    .map(({ glyph, says, count }) => ({ glyph, words: `${formatCount(count)} ${says}` }));
}

interface LegendProps {
  readonly label: string;
  readonly away: string;
  readonly onAway: () => void;
  readonly children: ComponentChildren;
}

const Legend = ({ label, away, onAway, children }: LegendProps) => (
  <div class="legend">
    <div class="legend-scale" role="img" aria-label={label}>
      {children}
    </div>
    <button type="button" class="button plain" aria-label={away} title={away} onClick={onAway}>
      <Icon name="close" />
    </button>
  </div>
);
