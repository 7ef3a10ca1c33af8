import { ValueFlag } from '../graph/outline.js';
import { outline, text } from '../workspace/workspace.js';
import { change } from './edits.js';
import { TextField } from './text-field.js';

/** The name of a value, the sizes of inputs and outputs, and whether it is one, to be changed. */
export function EditValue({ index }: { index: number }) {
  const graph = outline.value;
  const name = text(graph?.values.name[index]);
  const flags = graph?.values.flags[index] ?? 0;
  const isBorder = graph?.path === '' && (flags & (ValueFlag.input | ValueFlag.output)) !== 0;
  const dims = /\[(.*)\]$/.exec(text(graph?.values.type[index]))?.[1];
  const sizes = dims ? dims.split(',').map((size) => size.trim()) : [];
  const setDim = (axis: number, size: string) =>
    change({ kind: 'set-dims', value: name, dims: sizes.map((before, other) => (other === axis ? size : before)) });
  return (
    <section class="stack" aria-label="Value">
      <h3>{name}</h3>
      <TextField
        label="Name"
        value={name}
        onChange={(wanted) =>
          void change({ kind: 'rename-value', graph: graph?.path ?? '', value: name, name: wanted })
        }
      />
      {isBorder && sizes.length > 0 && (
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
      )}
      {graph?.path === '' && <OutputButton name={name} flags={flags} />}
    </section>
  );
}

const OutputButton = ({ name, flags }: { name: string; flags: number }) =>
  flags & ValueFlag.output ? (
    <button type="button" class="button" onClick={() => void change({ kind: 'remove-output', value: name })}>
      Make it no output
    </button>
  ) : (
    <button type="button" class="button" onClick={() => void change({ kind: 'add-output', value: name })}>
      Make it an output
    </button>
  );
