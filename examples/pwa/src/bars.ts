import { byId } from './dom.js';

const bars = Array.from({ length: 10 }, (_, digit) => {
  const item = document.createElement('li');
  const meter = document.createElement('meter');
  const percent = document.createElement('span');
  meter.ariaLabel = `Probability of ${digit}`;
  item.append(String(digit), meter, percent);
  byId('bars', HTMLOListElement).append(item);
  return { item, meter, percent };
});

export function showBars(probabilities: Float32Array | undefined): void {
  const highest = probabilities && Math.max(...probabilities);
  for (const [digit, { item, meter, percent }] of bars.entries()) {
    const probability = probabilities?.[digit];
    meter.value = probability ?? 0;
    percent.textContent = probability === undefined ? '' : `${(100 * probability).toFixed(1)}\u00a0%`;
    item.classList.toggle('highest', probability !== undefined && probability === highest);
  }
}
