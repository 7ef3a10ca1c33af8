import { operatorDocs } from '../details/operator-docs.js';
import { useAnswer } from '../details/use-answer.js';
import { documents } from '../documents/documents.js';
import { model, outline, text } from '../workspace/workspace.js';
import { isEditable } from './change.js';
import { change } from './edits.js';
import { TextField } from './text-field.js';

/** The name and the attributes of a node, to be changed. */
export function EditNode({ index }: { index: number }) {
  const [document, graph] = [model.value, outline.value];
  const path = graph?.path ?? '';
  const [domain, operator] = [text(graph?.nodes.domain[index]), text(graph?.nodes.operator[index])];
  const details = useAnswer(async () => documents.node(document?.id ?? 0, path, index), [document, path, index]);
  const version = details?.version;
  const docs = useAnswer(
    async () => (version === undefined ? undefined : operatorDocs(domain, operator, version)),
    [domain, operator, version],
  );
  const place = { graph: path, node: index };
  const named = new Set(details?.attributes.map(({ name }) => name));
  const unset = docs?.attributes.filter(({ name, kind }) => !named.has(name) && isEditable(kind)) ?? [];
  const set = (name: string, type: string) => (written: string) => {
    if (isEditable(type)) void change({ kind: 'set-attribute', ...place, name, type, text: written });
  };
  return (
    <section class="stack" aria-label="Node">
      <h3>{operator}</h3>
      <TextField
        label="Name"
        value={text(graph?.nodes.name[index])}
        onChange={(name) => void change({ kind: 'rename-node', ...place, name })}
      />
      {details?.attributes
        .filter(({ kind, text: written }) => isEditable(kind) && !written.startsWith('@') && !written.includes('…'))
        .map(({ name, kind, text: written }) => (
          <div key={name} class="edit-row">
            <TextField label={`${name}, ${kind}`} value={written} onChange={set(name, kind)} isMono />
            <button
              type="button"
              class="button"
              aria-label={`Remove ${name}`}
              onClick={() => void change({ kind: 'remove-attribute', ...place, name })}
            >
              Remove
            </button>
          </div>
        ))}
      {unset.length > 0 && (
        <details>
          <summary>Attributes that it leaves out</summary>
          <div class="stack">
            {unset.map(({ name, kind, fallback }) => (
              <TextField
                key={name}
                label={`${name}, ${kind}`}
                value={fallback ?? ''}
                onChange={set(name, kind)}
                isMono
              />
            ))}
          </div>
        </details>
      )}
      <button type="button" class="button" onClick={() => void change({ kind: 'delete-node', ...place })}>
        Delete the node
      </button>
    </section>
  );
}
