interface Props<T extends string> {
  /** The accessible name of the tab list. */
  readonly label: string;
  readonly tabs: readonly { readonly id: T; readonly title: string }[];
  readonly value: T | undefined;
  readonly onChange: (id: T) => void;
  /** The id of the panel that the tabs control. */
  readonly controls: string;
}

/** Tabs for the views of a panel; arrow keys move between them. `tabId` returns the id of a tab, which labels the panel. */
export const Tabs = <T extends string>({ label, tabs, value, onChange, controls }: Props<T>) => (
  <div class="tabs" role="tablist" aria-label={label} onKeyDown={walk}>
    {tabs.map(({ id, title }) => (
      <button
        key={id}
        id={tabId(controls, id)}
        type="button"
        role="tab"
        aria-selected={value === id}
        aria-controls={controls}
        tabIndex={value === id ? 0 : -1}
        onClick={() => onChange(id)}
      >
        {title}
      </button>
    ))}
  </div>
);

export const tabId = (controls: string, id: string | undefined): string => `${controls}-${id}`;

function walk(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const each = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button')];
  const at = each.indexOf(document.activeElement as HTMLButtonElement);
  if (!step || at < 0) return;
  event.preventDefault();
  const next = each[(at + step + each.length) % each.length];
  next?.focus();
  next?.click();
}
