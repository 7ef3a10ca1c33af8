import { rowOf } from '../../graph/neighbors.js';
import { NodeFlag, type Ragged } from '../../graph/outline.js';
import { modules, outline, select, text } from '../../store/workspace.js';
import { Prose } from '../../ui/prose.js';
import { RemarksOn } from '../overlay/remarks.js';
import { Attributes } from './attributes.js';
import { Enter } from './enter.js';
import { Metadata, ValueLink } from './links.js';
import { type OperandDocs, operandAt } from './operator-docs.js';
import { useNode } from './use-node.js';

/** A node: its operator, attributes, inputs and outputs. */
export function NodeDetails({ index }: { index: number }) {
  const { graph, domain, operator, details, docs } = useNode(index);
  if (!graph) return null;
  const { nodes } = graph;
  return (
    <>
      <dl class="facts">
        <dt>Name</dt>
        <dd>{text(nodes.name[index]) || <span class="quiet">none (node {index})</span>}</dd>
        <dt>Operator</dt>
        <dd>
          {domain || 'ai.onnx'} {details?.version}
          {docs && <span class="quiet"> since {docs.since}</span>}
          {docs?.isDeprecated && <span class="badge bad">deprecated</span>}
        </dd>
        {details?.overload && [<dt key="o">Overload</dt>, <dd key="overload">{details.overload}</dd>]}
        <Place index={index} />
      </dl>
      {details?.doc && <Prose text={details.doc} />}
      <Enter path={details?.calls} title="Open function" />
      {details && <Attributes operator={operator} attributes={details.attributes} docs={docs?.attributes ?? []} />}
      <Operands title="Inputs" of={nodes.inputs} node={index} docs={docs?.inputs} />
      <Operands title="Outputs" of={nodes.outputs} node={index} docs={docs?.outputs} />
      {((nodes.flags[index] ?? 0) & NodeFlag.hasSubgraphs) !== 0 && (
        <Operands title="Used by its subgraphs" of={nodes.captured} node={index} />
      )}
      {docs && (
        <details class="about">
          <summary>About {operator}</summary>
          <Prose text={docs.text} />
          <p class="quiet">{docs.source}</p>
        </details>
      )}
      {details && <Metadata of={details.metadata} />}
      <RemarksOn kind="nodes" index={index} />
    </>
  );
}

/** The module that contains the node, according to names or the exporter; links to it. */
function Place({ index }: { index: number }) {
  const module = modules.value?.ofNode[index] ?? -1;
  const scope = modules.value?.path[module] ?? text(outline.value?.nodes.scope[index]);
  if (!scope) return null;
  return (
    <>
      <dt>Module</dt>
      <dd>
        {module < 0 ? (
          scope
        ) : (
          <button type="button" class="link" onClick={() => select({ kind: 'module', index: module })}>
            {scope}
          </button>
        )}
      </dd>
    </>
  );
}

interface OperandsProps {
  readonly title: string;
  readonly of: Ragged;
  readonly node: number;
  readonly docs?: readonly OperandDocs[] | undefined;
}

function Operands({ title, of, node, docs = [] }: OperandsProps) {
  const values = [...rowOf(of, node)];
  if (values.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ol class="operands">
        {values.map((value, i) => {
          const formal = operandAt(docs, i);
          return (
            <li key={`${i} ${value}`}>
              {formal && (
                <span class="formal" title={formal.text}>
                  {formal.name}
                </span>
              )}
              {value < 0 ? <span class="quiet">omitted</span> : <ValueLink index={value} />}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
