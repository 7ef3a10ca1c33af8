import { type View, Views } from '../../ui/views.js';
import '../session/fields.css';
import { Engines } from './engines.js';
import { LayerChart } from './layer-chart.js';
import { RewriteList } from './rewrite-list.js';
import { Values } from './values.js';

const VIEWS: readonly View[] = [
  { id: 'values', title: 'Values', Content: Values },
  { id: 'layers', title: 'By layer', Content: LayerChart },
  { id: 'rewrites', title: 'Rewrites', Content: RewriteList },
  { id: 'engines', title: 'Compare with onnxruntime', Content: Engines },
];

/** Every value of a run, the optimizer's rewrites, and where results differ from another engine's. */
const UnderstandPanel = () => (
  <div class="panel">
    <h2>Understand</h2>
    <Views label="Views" id="understood" views={VIEWS} />
  </div>
);

export default UnderstandPanel;
