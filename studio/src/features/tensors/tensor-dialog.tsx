import { closeTensor, seen } from '../../store/seen-tensor.js';
import { Dialog } from '../../ui/dialog.js';
import { TensorPane } from './tensor-pane.js';

/** The dialog for the tensor being inspected. */
export default function TensorDialog() {
  const tensor = seen.value;
  if (!tensor) return null;
  return (
    <Dialog
      key={tensor.title}
      title={tensor.title}
      onClose={() => {
        closeTensor();
      }}
    >
      <TensorPane tensor={tensor} />
    </Dialog>
  );
}
