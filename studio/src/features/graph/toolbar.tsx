import { task } from '../../store/notices.js';
import { redraw, showOnNodes } from '../../store/open-model.js';
import { direction, folds, model, modules, opened, shown } from '../../store/workspace.js';
import { Check } from '../../ui/check.js';
import { download } from '../../ui/download.js';
import { redrawn } from './reveal.js';
import { view } from './view.js';

const CONTENT = [
  ['names', 'Names'],
  ['attributes', 'Attributes'],
  ['weights', 'Weight shapes'],
] as const;

/** Drawing options, and export of the drawing to files. */
export function Toolbar() {
  const isDown = direction.value === 'down';
  const isSomethingOpen = opened.value.size > 0;
  const count = modules.value?.count ?? 0;
  return (
    <fieldset class="toolbar" aria-label="Graph view">
      <button type="button" class="button" onClick={() => void redraw({ direction: isDown ? 'right' : 'down' })}>
        {isDown ? 'Horizontal' : 'Vertical'}
      </button>
      <button
        type="button"
        class="button"
        aria-pressed={!folds.value}
        title="Constant, Identity, and shape computation nodes"
        onClick={() => void redraw({ folds: !folds.value })}
      >
        Show constants
      </button>
      <details class="node-content">
        <summary class="button">Show on nodes</summary>
        <div>
          {CONTENT.map(([id, title]) => (
            <Check
              key={id}
              title={title}
              value={shown.value[id]}
              onChange={(isShown) => void showOnNodes({ [id]: isShown })}
            />
          ))}
        </div>
      </details>
      {count > 0 && (
        <button type="button" class="button" onClick={() => void openAll(isSomethingOpen ? new Set() : all(count))}>
          {isSomethingOpen ? 'Collapse all' : 'Expand all'}
        </button>
      )}
      <button type="button" class="button" onClick={() => void save('svg')}>
        SVG
      </button>
      <button type="button" class="button" onClick={() => void save('png')}>
        PNG
      </button>
    </fieldset>
  );
}

async function openAll(modules: ReadonlySet<number>): Promise<void> {
  const drawing = view.value;
  if (!drawing) return;
  await redrawn(drawing, { opened: modules });
  drawing.fit();
}

const all = (count: number): ReadonlySet<number> => new Set(Array.from({ length: count }, (_, module) => module));

/** PNG pixels per pixel of the picture: as sharp as on a high-density screen, unless that is too large. */
const SHARP = 2;

async function save(format: 'svg' | 'png'): Promise<void> {
  const drawing = view.value;
  if (!drawing) return;
  const file = await task(`Writing ${format.toUpperCase()}`, () =>
    format === 'svg' ? drawing.svg() : drawing.png(SHARP).catch(() => drawing.png(SHARP / 2)),
  );
  const name = (model.value?.name ?? 'graph').replace(/\.[^.]*$/, '');
  if (file) download(`${name}.${format}`, file);
}
