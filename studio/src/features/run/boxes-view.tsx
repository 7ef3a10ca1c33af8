import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { digits } from '../../ui/quantities.js';
import type { Detections } from '../../workers/contracts/runs.js';

const LISTED = 20;

/** Boxes over the input picture, those above the confidence threshold. */
export function BoxesView({ picture, found }: { picture: ImageData | null; found: Detections }) {
  const least = useSignal(0.5);
  const canvas = useRef<HTMLCanvasElement>(null);
  const count = found.scores.findIndex((score) => score < least.value);
  const shown = count < 0 ? found.scores.length : count;
  const [width, height] = picture ? [picture.width, picture.height] : sizeOf(found);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context) draw(context, picture, found, shown);
  }, [picture, found, shown]);
  return (
    <figure class="stack">
      <canvas
        ref={canvas}
        class="picture"
        width={width}
        height={height}
        role="img"
        aria-label={`${shown} boxes over the image`}
      />
      <label class="label">
        Minimum score {digits(least.value)}
        <input
          type="range"
          min={0}
          max={1}
          step={0.01}
          value={least.value}
          onInput={({ currentTarget: { valueAsNumber } }) => {
            least.value = valueAsNumber;
          }}
        />
      </label>
      <figcaption class="quiet">
        {shown} of {found.scores.length} boxes
      </figcaption>
      <BoxTable found={found} shown={Math.min(shown, LISTED)} />
    </figure>
  );
}

const BoxTable = ({ found, shown }: { found: Detections; shown: number }) => (
  <table class="table" aria-label="Boxes">
    <thead>
      <tr>
        <th scope="col">Label</th>
        <th scope="col" class="number">
          Score
        </th>
        <th scope="col">Left, top, right, bottom</th>
      </tr>
    </thead>
    <tbody>
      {Array.from({ length: shown }, (_, i) => (
        <tr key={i}>
          <td>{found.labels[i]}</td>
          <td class="number">{digits(found.scores[i] as number)}</td>
          <td class="mono">{Array.from(found.boxes.subarray(4 * i, 4 * i + 4), (x) => digits(x)).join(', ')}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const SIDE = 320;

/** Without an input picture: the extent of the boxes. */
function sizeOf({ boxes, isRelative }: Detections): [number, number] {
  if (isRelative) return [SIDE, SIDE];
  const most = boxes.reduce((a, b) => Math.max(a, b), 1);
  const side = Math.min(4096, Math.ceil(most));
  return [side, side];
}

const COLORS = ['#e4572e', '#17a589', '#2e86de', '#f0b429', '#9b59b6', '#27ae60'];

function draw(context: CanvasRenderingContext2D, picture: ImageData | null, found: Detections, shown: number): void {
  const { width, height } = context.canvas;
  context.clearRect(0, 0, width, height);
  if (picture) context.putImageData(picture, 0, 0);
  const [sx, sy] = found.isRelative ? [width, height] : [1, 1];
  context.lineWidth = Math.max(2, width / 200);
  context.font = `600 ${Math.max(10, width / 28)}px sans-serif`;
  for (let i = 0; i < shown; i++) {
    const [left, top, right, bottom] = found.boxes.subarray(4 * i, 4 * i + 4) as unknown as number[];
    const label = found.labels[i] as string;
    const color = COLORS[hash(label) % COLORS.length] as string;
    context.strokeStyle = color;
    context.strokeRect(
      (left ?? 0) * sx,
      (top ?? 0) * sy,
      ((right ?? 0) - (left ?? 0)) * sx,
      ((bottom ?? 0) - (top ?? 0)) * sy,
    );
    context.fillStyle = color;
    context.fillText(label, (left ?? 0) * sx + 3, (top ?? 0) * sy + Math.max(10, width / 28));
  }
}

const hash = (text: string) => [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 0);
