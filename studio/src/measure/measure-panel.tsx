import './measure.css';
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Choice } from '../design/choice.js';
import { Tabs, tabId } from '../design/tabs.js';
import { currentSession, session, settings } from '../runs/current.js';
import { SettingsFields } from '../runs/settings-fields.js';
import { model } from '../workspace/workspace.js';
import { Beside } from './beside.js';
import { CostTables } from './cost-tables.js';
import { ExportButtons } from './export-buttons.js';
import { Figures } from './figures.js';
import { HEAT_TITLES } from './heats.js';
import { MemoryPicture } from './memory-picture.js';
import { Roofline } from './roofline.js';
import { heatBy, measureModel, measurement, wantedRuns } from './state.js';
import { Timeline } from './timeline.js';

const TABS = [
  { id: 'tables', title: 'Tables' },
  { id: 'timeline', title: 'Timeline' },
  { id: 'memory', title: 'Memory' },
  { id: 'roofline', title: 'Roofline' },
] as const;
type View = (typeof TABS)[number]['id'];

const VIEWS: Readonly<Record<View, ComponentType>> = {
  tables: CostTables,
  timeline: Timeline,
  memory: MemoryPicture,
  roofline: Roofline,
};

const BODY = 'measured';

/** Times the model, and shows where time and memory go. */
export default function MeasurePanel() {
  const view = useSignal<View>('tables');
  const [document, chosen] = [model.value, settings.value];
  useEffect(() => void currentSession(), [document, chosen]);
  return (
    <div class="panel">
      <h2>Measure</h2>
      <div class="row fields">
        <SettingsFields
          value={chosen}
          onChange={(value) => {
            settings.value = value;
          }}
        />
        <label class="label">
          Runs
          <input
            class="field size"
            type="number"
            min={1}
            max={10_000}
            value={wantedRuns.value}
            onInput={({ currentTarget: { valueAsNumber } }) => {
              if (valueAsNumber >= 1) wantedRuns.value = Math.min(10_000, Math.floor(valueAsNumber));
            }}
          />
        </label>
        <button type="button" class="button primary" disabled={!session.value} onClick={() => void measureModel()}>
          Measure
        </button>
      </div>
      {measurement.value ? (
        <Measured view={view} />
      ) : (
        <p class="quiet">
          Says what the first run, the median and the slowest tenth take, where in the graph the time goes, and how
          memory is laid out. It is fed as the Run panel says.
        </p>
      )}
      <Beside />
    </div>
  );
}

function Measured({ view }: { view: Signal<View> }) {
  const View = VIEWS[view.value];
  return (
    <>
      <div class="row spread measured-head">
        <Figures />
        <div class="row fields">
          <Choice
            title="Heat of the graph"
            options={HEAT_TITLES}
            value={heatBy.value}
            onChange={(id) => {
              heatBy.value = id;
            }}
          />
          <ExportButtons />
        </div>
      </div>
      <Tabs
        label="What is shown of it"
        tabs={TABS}
        value={view.value}
        controls={BODY}
        onChange={(id) => {
          view.value = id;
        }}
      />
      <section role="tabpanel" id={BODY} aria-labelledby={tabId(BODY, view.value)}>
        <View />
      </section>
    </>
  );
}
