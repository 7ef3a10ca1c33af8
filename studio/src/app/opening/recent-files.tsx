import { useEffect } from 'preact/hooks';
import { openHandles } from './open.js';
import { readRecent, recent } from './recent.js';

/** Lists recent files for reopening. */
export function RecentFiles() {
  useEffect(() => void readRecent(), []);
  if (recent.value.length === 0) return null;
  return (
    <section class="recent" aria-label="Recent files">
      <h3>Recent files</h3>
      <ul>
        {recent.value.map(({ id, name, handles }) => (
          <li key={id}>
            <button type="button" class="button plain" onClick={() => void openHandles(handles)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
