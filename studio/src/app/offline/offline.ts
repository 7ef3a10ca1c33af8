import { signal } from '@preact/signals';

/** Whether a newer version of the page is waiting to be activated. */
export const isUpdateReady = signal(false);

let waiting: ServiceWorker | null = null;

/** Keeps the page's files for visits without a network. */
export async function keepOffline(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.register('./service-worker.js');
  const offer = (worker: ServiceWorker | null) => {
    // The first version replaces nothing. While it activates, Firefox and WebKit still report it as waiting.
    if (worker?.state !== 'installed' || !registration.active) return;
    waiting = worker;
    isUpdateReady.value = true;
  };
  offer(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => offer(installing));
  });
}

/** Reloads the page in its newer version. */
export function update(): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload());
  waiting?.postMessage('take over');
}
