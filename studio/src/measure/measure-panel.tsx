import './measure.css';
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { currentSession, session, settings } from '../runs/current.js';
import { Choice, SettingsFields } from '../runs/settings-fields.js';
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

const VIEWS: readonly { readonly title: string; readonly View: ComponentType }[] = [
  { title: 'Tables', View: CostTables },
  { title: 'Timeline', View: Timeline },
  { title: 'Memory', View: MemoryPicture },
  { title: 'Roofline', View: Roofline },
];

/** Times the model, and shows where time and memory go. */
export default function MeasurePanel() {
  const view = useSignal(0);
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
      {measurement.value && <Measured view={view} />}
      <Beside />
    </div>
  );
}

function Measured({ view }: { view: Signal<number> }) {
  const { View, title } = VIEWS[view.value] as (typeof VIEWS)[number];
  return (
    <>
      <Figures />
      <div class="row spread">
        <Tabs view={view} />
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
      <section role="tabpanel" aria-label={title}>
        <View />
      </section>
    </>
  );
}

const Tabs = ({ view }: { view: Signal<number> }) => (
  <div class="row tabs" role="tablist" aria-label="What is shown of it">
    {VIEWS.map(({ title }, i) => (
      <button
        key={title}
        type="button"
        role="tab"
        class="button"
        aria-selected={view.value === i}
        onClick={() => {
          view.value = i;
        }}
      >
        {title}
      </button>
    ))}
  </div>
);
