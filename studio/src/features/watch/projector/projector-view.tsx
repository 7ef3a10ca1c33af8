import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { report } from '../../../store/notices.js';
import type { Method, Projection } from '../../../workers/contracts/logs.js';
import { Canvas } from '../canvas.js';
import { logs } from '../logs.js';
import { Title } from '../media/media-views.js';
import { StepSlider, useMoments } from '../moments.js';
import { nameOf, tagsOf } from '../state.js';
import { drawPoints, nearest } from './draw-points.js';

export const ProjectorView = () => (
  <>
    {tagsOf(['embedding']).flatMap(({ tag, runs }) =>
      runs.map((run) => <Projector key={`${run} ${tag}`} run={run} tag={tag} />),
    )}
  </>
);

const METHODS: readonly (readonly [Method, string])[] = [
  ['pca', 'PCA'],
  ['umap', 'UMAP'],
];
const HEIGHT = 420;
/** Maximum number of names listed for a search. */
const MOST_LISTED = 20;

function Projector({ run, tag }: { run: string; tag: string }) {
  const moments = useMoments('embedding', run, tag);
  const method = useSignal<Method>('pca');
  const text = useSignal('');
  const pointed = useSignal<number | null>(null);
  const projection = useProjection(run, tag, moments, method);
  const found = useComputed(() => matching(projection.value, text.value));
  const draw = useComputed(
    () => projection.value && drawPoints(projection.value, new Set(found.value), pointed.value),
  ).value;
  return (
    <figure class="chart" aria-label={`${tag}, ${nameOf(run)}`}>
      <Title run={run} tag={tag} />
      <div class="row controls">
        <label class="label">
          Projection
          <select
            class="select"
            value={method.value}
            onChange={(event) => {
              method.value = event.currentTarget.value as Method;
            }}
          >
            {METHODS.map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <label class="label">
          Find label
          <input
            class="field"
            type="search"
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value;
            }}
          />
        </label>
        <StepSlider {...moments} title={tag} />
      </div>
      {draw && projection.value && (
        <Canvas
          height={HEIGHT}
          label={`${projection.value.labels.length} points of ${tag}`}
          draw={draw}
          onPoint={(x, y, width) => {
            pointed.value = projection.value ? nearest(projection.value, x, y, { width, height: HEIGHT }) : null;
          }}
        />
      )}
      <output class="quiet">{describe(projection.value, text.value, found.value, pointed.value)}</output>
    </figure>
  );
}

function useProjection(
  run: string,
  tag: string,
  { list, at }: ReturnType<typeof useMoments>,
  method: { readonly value: Method },
) {
  const projection = useSignal<Projection | null>(null);
  useSignalEffect(() => {
    if (list.value.length === 0) return;
    void logs.project(run, tag, at.value, method.value).then(
      (made) => {
        projection.value = made;
      },
      (error) => report('Cannot project the points', error),
    );
  });
  return projection;
}

function matching(projection: Projection | null, text: string): readonly number[] {
  if (!projection || text === '') return [];
  const wanted = text.toLowerCase();
  return projection.labels.flatMap((label, i) => (label.toLowerCase().includes(wanted) ? [i] : []));
}

function describe(
  projection: Projection | null,
  text: string,
  found: readonly number[],
  pointed: number | null,
): string {
  if (!projection) return '';
  const { labels, shares } = projection;
  const names = found.slice(0, MOST_LISTED).map((i) => labels[i]);
  if (text !== '') return `${found.length} found: ${names.join(', ')}${found.length > MOST_LISTED ? ' …' : ''}`;
  if (pointed !== null) return labels[pointed] ?? '';
  const percent = shares.map((share) => `${(share * 100).toFixed(1)} %`).join(' and ');
  return `${labels.length} points${percent && `; the axes show ${percent} of their variance`}`;
}
