import { change } from '../../store/edits.js';
import { useAnswer } from '../../store/use-answer.js';
import { documents } from '../../store/workers/documents.js';
import { model, outline } from '../../store/workspace.js';
import { TextField } from '../../ui/text-field.js';
import type { ModelField } from '../../workers/contracts/changes.js';
import type { About } from '../../workers/contracts/details.js';
import { EditNotes } from './edit-notes.js';
import { EditOpsets } from './edit-opsets.js';

const FIELDS: Readonly<Record<ModelField, string>> = {
  producerName: 'Producer',
  producerVersion: 'Version of the producer',
  domain: 'Domain',
  modelVersion: 'Version of the model',
};

/** What the model, and the graph of it that is in view, say of themselves; what concerns all nodes. */
export function EditModel() {
  const [document, path] = [model.value, outline.value?.path ?? ''];
  const id = document?.id ?? 0;
  const about = useAnswer(async () => documents.about(id, path), [id, path], document);
  return (
    <>
      {about && <GraphNotes path={path} graph={about.graph} />}
      <section class="stack" aria-label="Whole model">
        <h3>The whole model</h3>
        {about?.fields.map(([field, value]) => (
          <TextField
            key={field}
            label={FIELDS[field]}
            value={value}
            onChange={(text) => void change({ kind: 'set-field', field, text })}
          />
        ))}
        {about && <EditNotes on={{ of: 'model' }} doc={about.doc} metadata={about.metadata} />}
        <button type="button" class="button" onClick={() => void change({ kind: 'clean-up' })}>
          Remove what nothing needs
        </button>
      </section>
    </>
  );
}

/** A function's versions are its own; its name is what nodes call it by. */
function GraphNotes({ path, graph }: { path: string; graph: About['graph'] }) {
  const isFunction = /^function\/[^/]+$/.test(path);
  return (
    <section class="stack" aria-label="Graph in view">
      <h3>{isFunction ? 'The function in view' : 'The graph in view'}</h3>
      <TextField
        label={isFunction ? 'Name of the function' : 'Name of the graph'}
        value={graph.name}
        onChange={(name) => void change({ kind: 'rename-graph', graph: path, name })}
      />
      {(path === '' || isFunction) && <EditOpsets path={path} opsets={graph.opsets} />}
      <EditNotes on={{ of: 'graph', graph: path }} doc={graph.doc} metadata={graph.metadata} />
    </section>
  );
}
