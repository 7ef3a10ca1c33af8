import { change } from '../../store/edits.js';
import { text } from '../../store/workspace.js';
import { TextField } from '../../ui/text-field.js';
import { isWritten } from '../../workers/contracts/changes.js';
import { useNode } from '../details/use-node.js';
import { AddAttribute } from './add-attribute.js';
import { AttributeField, EditAttribute } from './edit-attribute.js';
import { EditNotes } from './edit-notes.js';

/** Edits the name, attributes and notes of a node. */
export function EditNode({ index }: { index: number }) {
  const { graph, path, operator, details, docs } = useNode(index);
  const place = { graph: path, node: index };
  const named = new Set(details?.attributes.map(({ name }) => name));
  const unset = docs?.attributes.filter(({ name, kind }) => !named.has(name) && isWritten(kind)) ?? [];
  return (
    <section class="stack" aria-label="Node">
      <h3>{operator}</h3>
      <TextField
        label="Name"
        value={text(graph?.nodes.name[index])}
        onChange={(name) => void change({ kind: 'rename-node', ...place, name })}
      />
      {details?.attributes.map((attribute) => (
        <EditAttribute key={attribute.name} operator={operator} node={index} attribute={attribute} />
      ))}
      <details>
        <summary>Unset attributes</summary>
        <div class="stack">
          {unset.map(({ name, kind, fallback }) =>
            isWritten(kind) ? (
              <AttributeField key={name} node={index} name={name} kind={kind} value={fallback ?? ''} />
            ) : null,
          )}
          <AddAttribute node={index} />
        </div>
      </details>
      {details && <EditNotes on={{ of: 'node', ...place }} doc={details.doc} metadata={details.metadata} />}
      <button type="button" class="button" onClick={() => void change({ kind: 'delete-node', ...place })}>
        Delete node
      </button>
    </section>
  );
}
