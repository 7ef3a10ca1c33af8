/** Zoom buttons and the current zoom level. */
export interface ZoomButtons {
  readonly element: HTMLElement;
  say(zoom: number): void;
}

export interface ZoomActions {
  zoom(factor: number): void;
  actual(): void;
  fit(): void;
}

export function createZoomButtons(actions: ZoomActions): ZoomButtons {
  const element = document.createElement('div');
  element.className = 'graph-zoom';
  element.setAttribute('role', 'group');
  element.setAttribute('aria-label', 'Zoom');
  const button = (words: string, label: string, act: () => void) => {
    const made = element.appendChild(document.createElement('button'));
    made.type = 'button';
    made.textContent = words;
    made.title = label;
    made.setAttribute('aria-label', label);
    made.addEventListener('click', act);
    return made;
  };
  button('−', 'Zoom out', () => actions.zoom(0.8));
  const scale = button('100 %', 'Actual size, now 100 %', actions.actual);
  scale.className = 'graph-scale';
  button('+', 'Zoom in', () => actions.zoom(1.25));
  button('Fit', 'Fit to window', actions.fit);
  return {
    element,
    say(zoom) {
      const words = `${zoom < 0.1 ? (zoom * 100).toFixed(1) : Math.round(zoom * 100)} %`;
      if (scale.textContent === words) return;
      scale.textContent = words;
      scale.setAttribute('aria-label', `Actual size, now ${words}`);
    },
  };
}
