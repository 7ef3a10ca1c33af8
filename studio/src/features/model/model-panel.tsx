import { inOrder } from '../../ui/in-order.js';
import { OperatorTable } from '../details/operator-table.js';
import './model-panel.css';
import { enterGraph } from '../../store/open-model.js';
import { model, outline, selectValue, text } from '../../store/workspace.js';
import { formatBytes, formatCount } from '../../ui/quantities.js';
import { OverlaySection } from '../overlay/overlay-section.js';
import { Training } from './training.js';
import { WorkFacts } from './work-facts.js';

/** An overview of the model: facts, inputs and outputs, operators and functions. */
export default function ModelPanel() {
  const document = model.value;
  const graph = outline.value;
  if (!document || !graph) return null;
  return (
    <div class="panel">
      <h2>{document.name}</h2>
      <dl class="facts">
        <dt>Size</dt>
        <dd>{formatBytes(document.bytes)}</dd>
        <dt>Nodes</dt>
        <dd>{formatCount(document.outline.nodes.count)}</dd>
        <WorkFacts document={document} />
        {document.opsets.map(({ domain, version }) => [
          <dt key={domain}>Opset</dt>,
          <dd key={`${domain} version`}>
            {domain} {version}
          </dd>,
        ])}
        {document.facts.map(([name, fact]) => [<dt key={name}>{name}</dt>, <dd key={`${name} text`}>{fact}</dd>])}
      </dl>
      <OverlaySection />
      <Values title="Inputs" values={graph.inputs} />
      <Values title="Outputs" values={graph.outputs} />
      <Operators />
      {document.functions.length > 0 && (
        <section>
          <h3>Functions</h3>
          <ul class="plain-list">
            {document.functions.map((name) => (
              <li key={name}>
                <button type="button" class="link" onClick={() => void enterGraph(`function/${name}`)}>
                  {name}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Training graphs={document.training} />
    </div>
  );
}

const Values = ({ title, values }: { title: string; values: Int32Array }) => (
  <section>
    <h3>{title}</h3>
    {values.length === 0 && <p class="quiet">None.</p>}
    <table class="table model-values">
      <tbody>
        {Array.from(values, (index) => (
          <tr key={index}>
            <td>
              <button type="button" class="link" onClick={() => selectValue(index)}>
                {text(outline.value?.values.name[index])}
              </button>
            </td>
            <td class="mono quiet">{inOrder(text(outline.value?.values.type[index]))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

function Operators() {
  const { nodes } = outline.value as NonNullable<typeof outline.value>;
  const counts = new Map<number, number>();
  for (const operator of nodes.operator) counts.set(operator, (counts.get(operator) ?? 0) + 1);
  const sorted = [...counts].sort((one, other) => other[1] - one[1]);
  return <OperatorTable counts={sorted} />;
}
