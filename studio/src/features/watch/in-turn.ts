/** Pending drawings: each is a task of its own, so that many of them do not block the page. */
const waiting = new Set<() => void>();
const channel = new MessageChannel();

channel.port1.onmessage = () => {
  const [next] = waiting;
  if (!next) return;
  waiting.delete(next);
  next();
  if (waiting.size > 0) channel.port2.postMessage(null);
};

/** Draws when its turn comes, unless the returned function is called first. */
export function inTurn(draw: () => void): () => void {
  waiting.add(draw);
  if (waiting.size === 1) channel.port2.postMessage(null);
  return () => waiting.delete(draw);
}
