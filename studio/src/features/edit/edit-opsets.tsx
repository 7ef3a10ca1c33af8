import { useSignal } from '@preact/signals';
import { change } from '../../store/edits.js';
import { TextField } from '../../ui/text-field.js';

interface EditOpsetsProps {
  readonly path: string;
  readonly opsets: readonly (readonly [domain: string, version: string])[];
}

const isConverted = (path: string, domain: string): boolean => path === '' && domain === 'ai.onnx';

/** Opset versions by domain. Changing that of ONNX itself converts the model's nodes; for others, only the version is set. */
export function EditOpsets({ path, opsets }: EditOpsetsProps) {
  const domain = useSignal('');
  const set = (name: string, version: string) =>
    isConverted(path, name)
      ? change({ kind: 'convert', opset: Number(version) })
      : change({ kind: 'set-opset', graph: path, domain: name, version });
  return (
    <div class="stack">
      {opsets.map(([name, version]) => (
        <TextField
          key={name}
          label={isConverted(path, name) ? 'Opset' : `Opset version of ${name}`}
          value={version}
          onChange={(wanted) => void set(name, wanted)}
        />
      ))}
      <div class="edit-row">
        <label class="label">
          New domain
          <input
            class="field"
            value={domain.value}
            onInput={(event) => {
              domain.value = event.currentTarget.value;
            }}
          />
        </label>
        <button
          type="button"
          class="button"
          disabled={domain.value.trim() === ''}
          onClick={async () => {
            await set(domain.value.trim(), '1');
            domain.value = '';
          }}
        >
          Import version 1
        </button>
      </div>
    </div>
  );
}
