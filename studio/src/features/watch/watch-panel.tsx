import { useEffect, useRef } from 'preact/hooks';
import { setDropTarget } from '../../store/file-takers.js';
import { onDemand } from '../../ui/on-demand.js';
import { counted } from '../../ui/quantities.js';
import { Tabs, tabId } from '../../ui/tabs.js';
import { CurvesView } from './curves/curves-view.js';
import { HistogramsView } from './histograms/histograms-view.js';
import { HyperParametersView } from './hparams/hyper-parameters-view.js';
import { ImagesView, SoundsView } from './media/media-views.js';
import { closeLogs, hasLogs, openLogs, pickFiles, pickFolder, poll, sourcesDropped } from './open-logs.js';
import { ProjectorView } from './projector/projector-view.js';
import { RunsList } from './runs-list.js';
import { ScalarsView } from './scalars/scalars-view.js';
import { choose, filter, overview, type TabId, tab, tabs } from './state.js';
import './watch.css';

const TextsView = onDemand(() => import('./media/texts-view.js'));

/** Milliseconds between checks for files that have grown. */
const INTERVAL = 2000;

const VIEWS = {
  scalars: ScalarsView,
  histograms: HistogramsView,
  images: ImagesView,
  texts: TextsView,
  hparams: HyperParametersView,
  curves: CurvesView,
  projector: ProjectorView,
  sounds: SoundsView,
} satisfies Record<TabId, unknown>;

/** Training logs as they grow: curves, histograms, pictures, texts, hyperparameters, embeddings. */
export default function WatchPanel() {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(follow, []);
  useEffect(() => panel.current?.addEventListener('drop', (event) => void dropped(event)), []);
  return (
    <div class="panel watch" ref={panel}>
      <div class="row">
        <h2>Watch</h2>
        <button type="button" class="button" onClick={() => void pickFolder()}>
          Open log folder
        </button>
        <button type="button" class="button" onClick={() => pickFiles()}>
          Open log files
        </button>
        {overview.value && <State />}
      </div>
      {overview.value ? <Logs /> : <Nothing />}
    </div>
  );
}

/** Logs and folders dropped on the panel are followed; other files are opened as usual. */
async function dropped(event: DragEvent): Promise<void> {
  if (!event.dataTransfer || !hasLogs(event.dataTransfer)) return;
  event.preventDefault();
  event.stopPropagation();
  setDropTarget(false);
  await openLogs(await sourcesDropped(event.dataTransfer));
}

function follow(): () => void {
  let isBusy = false;
  const timer = setInterval(async () => {
    if (isBusy || document.hidden || !overview.value?.isFollowed) return;
    isBusy = true;
    await poll().finally(() => {
      isBusy = false;
    });
  }, INTERVAL);
  return () => clearInterval(timer);
}

const Nothing = () => (
  <p class="quiet">
    Drop training logs or a folder of logs here. The studio reads TensorBoard logs (tfevents), which sardonyx/log,
    PyTorch, and TensorFlow write, and VisualDL logs (vdlrecords). Each folder is a run. Your logs stay on your
    computer.
  </p>
);

function State() {
  const { points, runs, isFollowed } = overview.value ?? { points: 0, runs: [], isFollowed: false };
  return (
    <>
      <output class="quiet">
        {counted(points, 'point')}, {counted(runs.length, 'run')}
        {isFollowed && ', updating as the logs grow'}
      </output>
      <button type="button" class="button plain" onClick={() => void closeLogs()}>
        Close logs
      </button>
    </>
  );
}

const BODY = 'watch-view';

function Logs() {
  const View = tab.value && VIEWS[tab.value];
  return (
    <>
      <Problems />
      <div class="watch-body">
        <RunsList />
        <div class="stack watch-view">
          <Tabs label="Value types" tabs={tabs.value} value={tab.value} controls={BODY} onChange={choose} />
          {tab.value !== 'hparams' && (
            <label class="label">
              Filter tags
              <input
                class="field"
                type="search"
                value={filter.value}
                onInput={(event) => {
                  filter.value = event.currentTarget.value;
                }}
              />
            </label>
          )}
          <div role="tabpanel" id={BODY} aria-labelledby={tabId(BODY, tab.value)} class="stack">
            {View ? <View /> : <p class="quiet">These logs contain no values that the studio can show.</p>}
          </div>
        </div>
      </div>
    </>
  );
}

function Problems() {
  const others = [...new Set(overview.value?.runs.flatMap(({ others }) => others))];
  const problems = overview.value?.problems ?? [];
  return (
    <>
      {problems.length > 0 && (
        <ul class="problems" aria-label="Problems">
          {problems.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      )}
      {others.length > 0 && <p class="quiet">Not shown: {others.join(', ')}</p>}
    </>
  );
}
