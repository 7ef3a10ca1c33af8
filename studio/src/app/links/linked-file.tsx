import { openHandles, pick } from '../opening/open.js';
import { awaitedFile, known } from './linked.js';

/** Asks for the file that a link refers to. */
export function AskForLinkedFile() {
  const file = awaitedFile.value;
  if (!file) return null;
  return (
    <section class="linked" aria-label="Linked file">
      <h3>This link shows {file.name || 'a local file'}</h3>
      <p class="quiet">
        The file is not part of the link. Open it to see the linked view. Its SHA-256 begins with{' '}
        <span class="mono">{file.hash.slice(0, 12)}</span>.
      </p>
      <button
        type="button"
        class="button primary"
        onClick={() => (known.value ? void openHandles(known.value.handles) : pick('files'))}
      >
        Open {file.name || 'the file'}
      </button>
    </section>
  );
}
