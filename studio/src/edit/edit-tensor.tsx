import { useRef } from 'preact/hooks';
import type { TensorFacts } from '../documents/tensor-facts.js';
import { TensorButton } from '../tensors/tensor-button.js';
import { change } from './edits.js';

interface EditTensorProps {
  readonly facts: TensorFacts;
  readonly title: string;
}

/** A tensor of the model: by its elements, in the dialog that shows it, or as a whole by a .npy file, chosen or dropped here. */
export function EditTensor({ facts, title }: EditTensorProps) {
  const input = useRef<HTMLInputElement>(null);
  const take = (file: File | undefined) => file && change({ kind: 'set-tensor', at: facts.at, npy: file });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button beside does the same
    <div
      class="stack edit-tensor"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        void take(event.dataTransfer?.files[0]);
      }}
    >
      <TensorButton facts={facts} title={title} />
      <button type="button" class="button" onClick={() => input.current?.click()}>
        Replace by a .npy file
      </button>
      <input
        ref={input}
        type="file"
        accept=".npy"
        hidden
        aria-label={`${title} from a .npy file`}
        onChange={(event) => {
          void take(event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}
