import { save } from '../../features/edit/shortcut.js';
import { enterGraph } from '../../store/open-model.js';
import { isUnsaved } from '../../store/unsaved.js';
import { announced, model, outline, tasks } from '../../store/workspace.js';
import { Icon } from '../../ui/icon.js';
import { theme, toggleTheme } from '../../ui/theme.js';
import { CopyLink } from '../links/copy-link.js';
import { isUpdateReady, update } from '../offline/offline.js';
import { pick } from '../opening/open.js';

export const Header = () => (
  <header class="header">
    <h1>
      Sardonyx<span> Studio</span>
    </h1>
    <Crumbs />
    <Running />
    <Announced />
    {isUpdateReady.value && (
      <button type="button" class="button" onClick={update} title="Reloads the page and closes the model">
        Update
      </button>
    )}
    {isUnsaved.value && (
      <button type="button" class="button save" title="Save changes (Ctrl+S)" onClick={() => void save()}>
        <Icon name="save" />
        <span>Save</span>
      </button>
    )}
    <CopyLink />
    <button type="button" class="button" onClick={() => pick('files')}>
      <Icon name="open" />
      Open
    </button>
    <button
      type="button"
      class="button plain"
      aria-label={theme.value === 'dark' ? 'Use light theme' : 'Use dark theme'}
      onClick={toggleTheme}
    >
      <Icon name={theme.value === 'dark' ? 'light' : 'dark'} />
    </button>
  </header>
);

/** The path of the graph in view within the model; each part is a link. */
function Crumbs() {
  const path = outline.value?.path ?? '';
  if (!model.value) return <div class="crumbs" />;
  const parts = crumbsOf(path);
  return (
    <nav class="crumbs" aria-label="Graph path">
      {[{ title: model.value.name, path: '' }, ...parts].map((part, i) => (
        <span key={part.path} class="row">
          {i > 0 && <span aria-hidden="true">›</span>}
          <button
            type="button"
            class="button plain"
            aria-current={part.path === path ? 'location' : undefined}
            onClick={() => void enterGraph(part.path)}
          >
            {i === 0 && isUnsaved.value && <span role="img" aria-label="Unsaved changes" class="unsaved" />}
            <span>{part.title}</span>
          </button>
        </span>
      ))}
    </nav>
  );
}

/** Splits `function/D:N/12/body` into the function and the body. */
function crumbsOf(path: string): { title: string; path: string }[] {
  const steps = path.split('/').filter(Boolean);
  return steps.flatMap((step, i) => {
    if (i % 2 === 0) return [];
    const before = steps[i - 1];
    const title = before === 'function' ? step : before === 'training' ? `training ${step}` : `${step} of ${before}`;
    return [{ title, path: steps.slice(0, i + 1).join('/') }];
  });
}

const Announced = () => (
  <div class="sr-only" aria-live="polite" aria-atomic="true">
    {announced.value && <span key={announced.value.id}>{announced.value.text}</span>}
  </div>
);

function Running() {
  const [task] = tasks.value;
  return (
    <output class="task" aria-live="polite">
      {task && (
        <>
          <span class="quiet">{task.title}</span>
          <progress aria-label={task.title} {...(task.done === undefined ? {} : { value: task.done })} />
          {task.cancel && (
            <button type="button" class="button plain" onClick={task.cancel}>
              Cancel
            </button>
          )}
        </>
      )}
    </output>
  );
}
