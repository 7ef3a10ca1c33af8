import { useSignal } from '@preact/signals';
import { change } from '../../store/edits.js';
import { TextField } from '../../ui/text-field.js';
import type { Described } from '../../workers/contracts/changes.js';

interface EditNotesProps {
  readonly on: Described;
  readonly doc: string;
  readonly metadata: readonly (readonly [key: string, text: string])[];
}

/** Edits documentation and metadata; a pair with empty text is removed. */
export function EditNotes({ on, doc, metadata }: EditNotesProps) {
  const key = useSignal('');
  const add = async () => {
    await change({ kind: 'set-metadata', on, key: key.value.trim(), text: '…' });
    key.value = '';
  };
  return (
    <details open={doc !== '' || metadata.length > 0}>
      <summary>Description and metadata</summary>
      <div class="stack">
        <TextField
          label="Description"
          value={doc}
          onChange={(text) => void change({ kind: 'set-doc', on, text })}
          isLong
        />
        {metadata.map(([name, text]) => (
          <div key={name} class="edit-row">
            <TextField
              label={name}
              value={text}
              onChange={(written) => void change({ kind: 'set-metadata', on, key: name, text: written })}
            />
            <button
              type="button"
              class="button"
              aria-label={`Remove ${name}`}
              onClick={() => void change({ kind: 'set-metadata', on, key: name, text: '' })}
            >
              Remove
            </button>
          </div>
        ))}
        <div class="edit-row">
          <label class="label">
            New metadata key
            <input
              class="field"
              value={key.value}
              onInput={(event) => {
                key.value = event.currentTarget.value;
              }}
            />
          </label>
          <button type="button" class="button" disabled={key.value.trim() === ''} onClick={() => void add()}>
            Add
          </button>
        </div>
      </div>
    </details>
  );
}
