import { useSignal } from '@preact/signals';
import { note, report } from '../../store/notices.js';
import { address, model } from '../../store/workspace.js';
import { Icon } from '../../ui/icon.js';
import { linkNow } from './history.js';

/** Copies the address of the current view. For a dropped model it contains the hash, not the model itself. */
export function CopyLink() {
  const isCopied = useSignal(false);
  if (!model.value) return null;
  const copy = async () => {
    try {
      // Browsers that require the text at once accept a promise of it.
      const text = linkNow().then((link) => new Blob([link], { type: 'text/plain' }));
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })]);
    } catch (error) {
      return report('Cannot copy the link', error);
    }
    isCopied.value = true;
    setTimeout(() => {
      isCopied.value = false;
    }, 2000);
    if (address.value === null)
      note(
        'Link copied',
        'The link does not include your local file. It has the hash of the file, and asks for it when it is opened.',
      );
  };
  return (
    <button type="button" class="button plain" title="Copy link" onClick={() => void copy()}>
      <Icon name={isCopied.value ? 'check' : 'link'} />
      <span class="sr-only" aria-live="polite">
        {isCopied.value ? 'Link copied' : 'Copy link'}
      </span>
    </button>
  );
}
