import { dismiss } from '../../store/notices.js';
import { notices } from '../../store/workspace.js';
import { Icon } from '../../ui/icon.js';

export const Notices = () => (
  <div class="notices" role="log" aria-label="Messages" aria-live="polite">
    {notices.value.map(({ id, kind, text, detail }) => (
      <div key={id} class={`notice ${kind}`}>
        <div>
          <strong>{text}</strong>
          {detail && <p>{detail}</p>}
        </div>
        <button type="button" class="button plain" aria-label="Dismiss" onClick={() => dismiss(id)}>
          <Icon name="close" />
        </button>
      </div>
    ))}
  </div>
);
