import { outline, select, text } from '../../store/workspace.js';
import { inOrder } from '../../ui/in-order.js';

/** A link to a value, with its name and type. */
export const ValueLink = ({ index }: { index: number }) => {
  const values = outline.value?.values;
  const type = inOrder(text(values?.type[index]));
  return (
    <span class="link-row">
      <button type="button" class="link" onClick={() => select({ kind: 'value', index })}>
        {text(values?.name[index])}
      </button>
      {type && <span class="mono quiet">{type}</span>}
    </span>
  );
};

/** A link to a node, with its operator and name. */
export const NodeLink = ({ index }: { index: number }) => {
  const nodes = outline.value?.nodes;
  const name = text(nodes?.name[index]);
  return (
    <span class="link-row">
      <button type="button" class="link" onClick={() => select({ kind: 'node', index })}>
        {text(nodes?.operator[index])}
        {name && ` ${name}`}
      </button>
      {!name && <span class="quiet">node {index}</span>}
    </span>
  );
};

type Pairs = readonly (readonly [key: string, text: string])[];

/** Metadata written by the exporter. */
export const Metadata = ({ of }: { of: Pairs }) =>
  of.length === 0 ? null : (
    <section>
      <h3>Metadata</h3>
      <dl class="facts">
        {of.map(([key, value]) => [<dt key={key}>{key}</dt>, <dd key={`${key} text`}>{value}</dd>])}
      </dl>
    </section>
  );
