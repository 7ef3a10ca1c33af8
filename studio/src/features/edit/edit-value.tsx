import { ValueFlag } from '../../graph/outline.js';
import { change } from '../../store/edits.js';
import { useAnswer } from '../../store/use-answer.js';
import { documents } from '../../store/workers/documents.js';
import { model, outline, text } from '../../store/workspace.js';
import { TextField } from '../../ui/text-field.js';
import { EditNotes } from './edit-notes.js';
import { EditTensor } from './edit-tensor.js';

/** Edits the name, type and data of a value, and whether it is an output. */
export function EditValue({ index }: { index: number }) {
  const [document, graph] = [model.value, outline.value];
  const [id, path, name] = [document?.id ?? 0, graph?.path ?? '', text(graph?.values.name[index])];
  const details = useAnswer(async () => documents.value(id, path, name), [id, path, name], document);
  const flags = graph?.values.flags[index] ?? 0;
  const type = text(graph?.values.type[index]);
  const isCaptured = (flags & ValueFlag.captured) !== 0;
  if (isCaptured) return <p class="quiet">This value belongs to an outer graph. Open that graph to edit it.</p>;
  return (
    <section class="stack" aria-label="Value">
      <h3>{name}</h3>
      <TextField
        label="Name"
        value={name}
        onChange={(wanted) => void change({ kind: 'rename-value', graph: path, value: name, name: wanted })}
      />
      {details?.tensor ? (
        <EditTensor facts={details.tensor} title={name} />
      ) : (
        <TextField
          label="Type"
          value={type}
          onChange={(wanted) => void change({ kind: 'set-type', graph: path, value: name, text: wanted })}
          isMono
        />
      )}
      {isBorder(path, flags) && <Sizes name={name} type={type} />}
      {details && (
        <EditNotes on={{ of: 'value', graph: path, value: name }} doc={details.doc} metadata={details.metadata} />
      )}
      {path === '' && <OutputButton name={name} flags={flags} />}
    </section>
  );
}

const isBorder = (path: string, flags: number): boolean =>
  path === '' && (flags & (ValueFlag.input | ValueFlag.output)) !== 0;

/** Sizes of a model input or output; sizes that depend on them are inferred again. */
function Sizes({ name, type }: { name: string; type: string }) {
  const dims = /\[(.*)\]$/.exec(type)?.[1];
  const sizes = dims ? dims.split(',').map((size) => size.trim()) : [];
  const setDim = (axis: number, size: string) =>
    change({ kind: 'set-dims', value: name, dims: sizes.map((before, other) => (other === axis ? size : before)) });
  return (
    <div class="row sizes">
      {sizes.map((size, axis) => (
        <TextField
          key={`${axis} of ${sizes.length}`}
          label={`Dim ${axis}`}
          value={size}
          onChange={(wanted) => void setDim(axis, wanted)}
          isMono
        />
      ))}
    </div>
  );
}

const OutputButton = ({ name, flags }: { name: string; flags: number }) =>
  flags & ValueFlag.output ? (
    <button type="button" class="button" onClick={() => void change({ kind: 'remove-output', value: name })}>
      Remove from outputs
    </button>
  ) : (
    <button type="button" class="button" onClick={() => void change({ kind: 'add-output', value: name })}>
      Add to outputs
    </button>
  );
