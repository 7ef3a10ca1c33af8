import { Pick } from '../../ui/pick.js';
import '../session/fields.css';
import './measure.css';
import { useEffect } from 'preact/hooks';
import { currentSession, session, setSettings, settings } from '../../store/session.js';
import { model } from '../../store/workspace.js';
import { NumberField } from '../../ui/number-field.js';
import { type View, Views } from '../../ui/views.js';
import { SettingsFields } from '../session/settings-fields.js';
import { Beside } from './beside.js';
import { CostTables } from './cost-tables.js';
import { ExportButtons } from './export-buttons.js';
import { Figures } from './figures.js';
import { HEAT_TITLES } from './heats.js';
import { MemoryPicture } from './memory-picture.js';
import { Roofline } from './roofline.js';
import { heatBy, measureModel, measurement, wantedRuns } from './state.js';
import { Timeline } from './timeline.js';

const VIEWS: readonly View[] = [
  { id: 'tables', title: 'Tables', Content: CostTables },
  { id: 'timeline', title: 'Timeline', Content: Timeline },
  { id: 'memory', title: 'Memory', Content: MemoryPicture },
  { id: 'roofline', title: 'Roofline', Content: Roofline },
];

/** Times the model, and shows where time and memory are spent. */
export default function MeasurePanel() {
  const [document, chosen] = [model.value, settings.value];
  useEffect(() => void currentSession(), [document, chosen]);
  return (
    <div class="panel">
      <h2>Measure</h2>
      <div class="row fields">
        <SettingsFields value={chosen} onChange={setSettings} />
        <NumberField title="Runs" of={wantedRuns} min={1} max={10_000} />
        <button type="button" class="button primary" disabled={!session.value} onClick={() => void measureModel()}>
          Measure
        </button>
      </div>
      {measurement.value ? (
        <Measured />
      ) : (
        <p class="quiet">
          Measures the first run, the median, and the 90th percentile. Shows where the time goes in the graph and how
          memory is laid out. Uses the inputs of the Run panel.
        </p>
      )}
      <Beside />
    </div>
  );
}

const Measured = () => (
  <>
    <div class="row spread measured-head">
      <Figures />
      <div class="row fields">
        <Pick title="Color graph by" options={HEAT_TITLES} of={heatBy} />
        <ExportButtons />
      </div>
    </div>
    <Views label="Views of the measurement" id="measured" views={VIEWS} />
  </>
);
