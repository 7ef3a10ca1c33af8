globalThis.outcome = (async () => {
  await navigator.serviceWorker.register('./service-worker.js', { type: 'module' });
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  active.postMessage(null, [port2]);
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
  });
})();
