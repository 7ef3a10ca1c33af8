import { readersOf } from '../../graph/neighbors.js';
import { ValueFlag } from '../../graph/outline.js';
import { change } from '../../store/edits.js';
import { goToValue, pathAround } from '../../store/go-to.js';
import { useAnswer } from '../../store/use-answer.js';
import { documents } from '../../store/workers/documents.js';
import { model, outline, text } from '../../store/workspace.js';
import { inOrder } from '../../ui/in-order.js';
import { Prose } from '../../ui/prose.js';
import { RemarksOn } from '../overlay/remarks.js';
import { TensorButton } from '../tensors/tensor-button.js';
import { Metadata, NodeLink } from './links.js';

const KINDS: readonly (readonly [flag: number, title: string])[] = [
  [ValueFlag.input, 'input'],
  [ValueFlag.output, 'output'],
  [ValueFlag.initializer, 'initializer'],
  [ValueFlag.constant, 'constant'],
  [ValueFlag.shapeOnly, 'used only for shapes'],
  [ValueFlag.captured, 'from an outer graph'],
];

/** Number of readers listed; the rest are only counted. */
const LISTED = 100;

/** A value: its type, producer, readers, and data if it has any. */
export function ValueDetails({ index }: { index: number }) {
  const [document, graph] = [model.value, outline.value];
  const [id, path, name] = [document?.id ?? 0, graph?.path ?? '', text(graph?.values.name[index])];
  const details = useAnswer(async () => documents.value(id, path, name), [id, path, name], document);
  if (!graph) return null;
  const flags = graph.values.flags[index] ?? 0;
  const producer = graph.values.producer[index] ?? -1;
  const readers = readersOf(graph, index);
  const kinds = KINDS.filter(([flag]) => flags & flag).map(([, title]) => title);
  const around = pathAround(path);
  return (
    <>
      <dl class="facts">
        <dt>Type</dt>
        <dd class="mono">{inOrder(text(graph.values.type[index])) || <span class="quiet">unknown</span>}</dd>
        {kinds.length > 0 && [<dt key="k">Kind</dt>, <dd key="kinds">{kinds.join(', ')}</dd>]}
        {producer >= 0 && [
          <dt key="p">Producer</dt>,
          <dd key="producer">
            <NodeLink index={producer} />
          </dd>,
        ]}
      </dl>
      {(flags & ValueFlag.captured) !== 0 && around !== undefined && (
        <button type="button" class="button" onClick={() => void goToValue(around, name)}>
          Go to outer graph
        </button>
      )}
      {path === '' && !document?.isViewOnly && (flags & (ValueFlag.output | ValueFlag.input)) === 0 && (
        <button type="button" class="button" onClick={() => void change({ kind: 'add-output', value: name })}>
          Add to outputs
        </button>
      )}
      {details?.doc && <Prose text={details.doc} />}
      {details?.tensor && <TensorButton facts={details.tensor} title={name} />}
      {details && details.quantization.length > 0 && (
        <section>
          <h3>Quantization</h3>
          <dl class="facts">
            {details.quantization.map(([key, value]) => [
              <dt key={key}>{key}</dt>,
              <dd key={value}>
                <button type="button" class="link" onClick={() => void goToValue(path, value)}>
                  {value}
                </button>
              </dd>,
            ])}
          </dl>
        </section>
      )}
      <section>
        <h3>Consumers</h3>
        {readers.length === 0 && <p class="quiet">None.</p>}
        <ul class="operands">
          {readers.slice(0, LISTED).map((node) => (
            <li key={node}>
              <NodeLink index={node} />
            </li>
          ))}
        </ul>
        {readers.length > LISTED && <p class="quiet">and {readers.length - LISTED} more</p>}
      </section>
      {details && <Metadata of={details.metadata} />}
      <RemarksOn kind="values" index={index} />
    </>
  );
}
