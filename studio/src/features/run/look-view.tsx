import { useEffect, useRef } from 'preact/hooks';
import { digits } from '../../ui/quantities.js';
import type { LabelEntry, Look } from '../../workers/contracts/runs.js';
import { BoxesView } from './boxes-view.js';
import { SoundView } from './sound-view.js';

/** An output in its natural form: labels, a picture, boxes or sound. */
export function LookView({ look }: { look: Look }) {
  switch (look.kind) {
    case 'labels':
      return <Labels entries={look.entries} title={look.output} />;
    case 'picture':
      return (
        <figure>
          <Picture pixels={look.picture} title={look.output} />
          <figcaption class="quiet">{look.says}</figcaption>
        </figure>
      );
    case 'boxes':
      return <BoxesView picture={look.picture} found={look.found} />;
    case 'sound':
      return <SoundView samples={look.samples} title={look.output} />;
  }
}

/** The largest scores with their softmax, or probabilities, each with a bar. */
function Labels({ entries, title }: { entries: readonly LabelEntry[]; title: string }) {
  const most = Math.max(...entries.map(({ value }) => Math.abs(value)), Number.MIN_VALUE);
  const isScored = entries.some(({ softmax }) => softmax !== undefined);
  return (
    <table class="table labels" aria-label={`Top classes of ${title}`}>
      {isScored && (
        <thead>
          <tr>
            <th>Class</th>
            <th class="number">Score</th>
            <th class="number">Softmax</th>
            <th aria-label="Share" />
          </tr>
        </thead>
      )}
      <tbody>
        {entries.map(({ index, label, value, softmax }) => (
          <tr key={index}>
            <th scope="row">{label}</th>
            <td class="number">{digits(value)}</td>
            {isScored && <td class="number">{(100 * (softmax ?? 0)).toFixed(1)} %</td>}
            <td class="bar-cell">
              <span class="bar" style={{ '--part': `${100 * (softmax ?? Math.max(0, value) / most)}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Picture({ pixels, title }: { pixels: ImageData; title: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    canvas.current?.getContext('2d')?.putImageData(pixels, 0, 0);
  }, [pixels]);
  return (
    <canvas ref={canvas} class="picture" width={pixels.width} height={pixels.height} role="img" aria-label={title} />
  );
}
