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
  producerVersion: 'Producer version',
  domain: 'Domain',
  modelVersion: 'Model version',
};

/** Edits properties of the model and of the graph in view; removes unused nodes and values. */
export function EditModel() {
  const [document, path] = [model.value, outline.value?.path ?? ''];
  const id = document?.id ?? 0;
  const about = useAnswer(async () => documents.about(id, path), [id, path], document);
  return (
    <>
      {about && <GraphNotes path={path} graph={about.graph} />}
      <section class="stack" aria-label="Model">
        <h3>Model</h3>
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
          Remove unused nodes and values
        </button>
      </section>
    </>
  );
}

/** A function has its own opset versions; nodes call it by its name. */
function GraphNotes({ path, graph }: { path: string; graph: About['graph'] }) {
  const isFunction = /^function\/[^/]+$/.test(path);
  return (
    <section class="stack" aria-label="Current graph">
      <h3>{isFunction ? 'Current function' : 'Current graph'}</h3>
      <TextField
        label={isFunction ? 'Function name' : 'Graph name'}
        value={graph.name}
        onChange={(name) => void change({ kind: 'rename-graph', graph: path, name })}
      />
      {(path === '' || isFunction) && <EditOpsets path={path} opsets={graph.opsets} />}
      <EditNotes on={{ of: 'graph', graph: path }} doc={graph.doc} metadata={graph.metadata} />
    </section>
  );
}
