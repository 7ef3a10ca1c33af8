import { change } from '../../store/edits.js';
import type { TensorFacts } from '../../workers/contracts/tensors.js';
import { TensorButton } from '../tensors/tensor-button.js';
import { TakeFile } from './take-file.js';

interface EditTensorProps {
  readonly facts: TensorFacts;
  readonly title: string;
}

/** Edits a tensor of the model: by element in the dialog that shows it, or as a whole from a .npy file. */
export const EditTensor = ({ facts, title }: EditTensorProps) => (
  <TakeFile
    title="Replace with .npy file"
    label={`Replace ${title} with a .npy file`}
    accept=".npy"
    onFile={(npy) => change({ kind: 'set-tensor', at: facts.at, npy })}
  >
    <TensorButton facts={facts} title={title} />
  </TakeFile>
);
