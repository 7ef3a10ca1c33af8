import { closePanel, model, openPanel, panel } from '../../store/workspace.js';
import { Icon } from '../../ui/icon.js';
import { isAvailable, PANELS } from '../panels.js';

/** The tools, one open at a time; clicking the open one closes it. Arrow keys move between them. */
export const Rail = () => (
  <nav class="tools" aria-label="Tools">
    <div class="rail" role="tablist" aria-label="Tools" aria-orientation="vertical" onKeyDown={walk}>
      {PANELS.map((each) => {
        const { id, title, icon } = each;
        const isOpen = panel.value === id && isAvailable(each);
        return (
          <button
            key={id}
            type="button"
            role="tab"
            aria-selected={isOpen}
            aria-controls={isOpen ? `panel-${id}` : undefined}
            disabled={!isAvailable(each)}
            title={model.value && !isAvailable(each) ? 'Needs an ONNX model' : undefined}
            onClick={() => (isOpen ? closePanel() : openPanel(id))}
          >
            <Icon path={icon} />
            {title}
          </button>
        );
      })}
    </div>
  </nav>
);

function walk(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  const tabs = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button:not(:disabled)')];
  const at = tabs.indexOf(document.activeElement as HTMLButtonElement);
  if (!step || at < 0) return;
  event.preventDefault();
  tabs[(at + step + tabs.length) % tabs.length]?.focus();
}
