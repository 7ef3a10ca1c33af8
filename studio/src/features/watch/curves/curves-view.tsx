import { useSignal, useSignalEffect } from '@preact/signals';
import { colourOf, dashOf } from '../colors.js';
import { logs } from '../logs.js';
import { StepSlider, useMoments } from '../moments.js';
import { Swatch } from '../runs-list.js';
import { nameOf, overview, tagsOf } from '../state.js';
import { areaUnder, type Points, pointsOf } from './points.js';

const TITLES = {
  pr: { x: 'Recall', y: 'Precision', title: 'precision and recall' },
  roc: { x: 'False positives', y: 'True positives', title: 'ROC' },
} as const;
type CurveKind = keyof typeof TITLES;

export const CurvesView = () => (
  <div class="charts">
    {(['pr', 'roc'] as const).flatMap((kind) =>
      tagsOf([kind]).map(({ tag, runs }) => <Curves key={`${kind} ${tag}`} kind={kind} tag={tag} runs={runs} />),
    )}
  </div>
);

interface Shown {
  readonly run: string;
  readonly points: Points;
}

function Curves({ kind, tag, runs }: { kind: CurveKind; tag: string; runs: readonly string[] }) {
  const moments = useMoments(kind, runs[0] as string, tag);
  const found = useSignal<readonly Shown[]>([]);
  const key = runs.join('\n');
  useSignalEffect(() => {
    void overview.value;
    const at = moments.at.value;
    void Promise.all(key.split('\n').map(async (run) => ({ run, curve: await logs.curve(kind, run, tag, at) }))).then(
      (all) => {
        found.value = all.flatMap(({ run, curve }) => (curve ? [{ run, points: pointsOf(curve) }] : []));
      },
    );
  });
  return (
    <figure class="chart" aria-label={`${tag}, ${TITLES[kind].title}`}>
      <figcaption>
        <h3>{tag}</h3>
        <span class="quiet">{TITLES[kind].title}</span>
      </figcaption>
      <Square kind={kind} shown={found.value.filter(({ run }) => runs.includes(run))} />
      <table class="table values">
        <tbody>
          {found.value.map(({ run, points }) => (
            <tr key={run}>
              <th scope="row">
                <Swatch run={run} /> {nameOf(run)}
              </th>
              <td class="number">{areaUnder(points).toFixed(3)} under the curve</td>
            </tr>
          ))}
        </tbody>
      </table>
      <StepSlider {...moments} title={tag} />
    </figure>
  );
}

const SIDE = 220;
const MARGIN = 34;
const at = (x: number, y: number) => `${MARGIN + x * SIDE} ${8 + (1 - y) * SIDE}`;

const Square = ({ kind, shown }: { kind: CurveKind; shown: readonly Shown[] }) => (
  <svg
    class="square"
    viewBox={`0 0 ${SIDE + MARGIN + 8} ${SIDE + MARGIN}`}
    role="img"
    aria-label={`${TITLES[kind].y} over ${TITLES[kind].x}`}
  >
    <path
      class="grid"
      d={[0, 0.25, 0.5, 0.75, 1].map((v) => `M${at(v, 0)}L${at(v, 1)}M${at(0, v)}L${at(1, v)}`).join('')}
    />
    {shown.map(({ run, points }) => (
      <path
        key={run}
        d={`M${points.map(([x, y]) => at(x, y)).join('L')}`}
        style={{ stroke: colourOf(run) }}
        stroke-dasharray={dashOf(run).join(' ') || undefined}
      />
    ))}
    <text x={MARGIN + SIDE / 2} y={SIDE + 28} text-anchor="middle">
      {TITLES[kind].x}
    </text>
    <text transform={`translate(12 ${SIDE / 2 + 8}) rotate(-90)`} text-anchor="middle">
      {TITLES[kind].y}
    </text>
    <text x={MARGIN - 4} y={14} text-anchor="end">
      1
    </text>
    <text x={MARGIN - 4} y={SIDE + 12} text-anchor="end">
      0
    </text>
  </svg>
);
