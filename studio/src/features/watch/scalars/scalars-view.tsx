import { Check } from '../../../ui/check.js';
import { Pick } from '../../../ui/pick.js';
import type { Axis, TagSummary } from '../../../workers/contracts/logs.js';
import { axis, groupsOf, isLogarithmic, pinned, smoothing, tagsOf } from '../state.js';
import { Chart } from './chart.js';

const AXES: readonly (readonly [Axis, string])[] = [
  ['step', 'Step'],
  ['relative', 'Relative time (s)'],
  ['wall', 'Wall time'],
];

export function ScalarsView() {
  return (
    <>
      <div class="row controls">
        <label class="label">
          Smoothing {smoothing.value.toFixed(2)}
          <input
            type="range"
            min="0"
            max="0.99"
            step="0.01"
            value={smoothing.value}
            onInput={(event) => {
              smoothing.value = Number(event.currentTarget.value);
            }}
          />
        </label>
        <Pick title="Horizontal axis" options={AXES} of={axis} />
        <Check
          title="Log scale"
          value={isLogarithmic.value}
          onChange={(chosen) => {
            isLogarithmic.value = chosen;
          }}
        />
      </div>
      <Groups tags={tagsOf(['scalar'])} />
    </>
  );
}

/** Pinned cards, then the others in collapsible groups. */
function Groups({ tags }: { tags: readonly TagSummary[] }) {
  const first = tags.filter(({ tag }) => pinned.value.has(tag));
  const groups = groupsOf(tags.filter(({ tag }) => !pinned.value.has(tag)));
  return (
    <>
      {first.length > 0 && <Group title="Pinned" tags={first} />}
      {[...groups].map(([name, members]) => (
        <Group key={name} title={name || 'No group'} tags={members} />
      ))}
    </>
  );
}

const Group = ({ title, tags }: { title: string; tags: readonly TagSummary[] }) => (
  <details class="group" open>
    <summary>
      {title} <span class="quiet">{tags.length}</span>
    </summary>
    <div class="charts">
      {tags.map(({ tag, runs }) => (
        <Chart key={tag} tag={tag} runs={runs} />
      ))}
    </div>
  </details>
);
