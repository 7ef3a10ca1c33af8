import { numberText } from '../../ui/number-text.js';
import { formatCount } from '../../ui/quantities.js';
import type { Histogram as Data } from '../../workers/contracts/tensors.js';

const [WIDTH, HEIGHT] = [320, 96];

/** The distribution of the elements, as bars from the smallest to the largest; bars of few elements stay visible. */
export function Histogram({ data: { low, width, counts } }: { data: Data }) {
  if (counts.length === 0) return null;
  const most = Math.max(...counts);
  const bar = WIDTH / counts.length;
  const high = low + width * counts.length;
  const tallest = counts.indexOf(most);
  const label = `Histogram from ${numberText(low)} to ${numberText(high)}. The tallest of ${counts.length} bars, at ${numberText(low + tallest * width)}, counts ${formatCount(most)} elements.`;
  return (
    <figure class="histogram">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} preserveAspectRatio="none">
        {Array.from(counts, (count, i) => {
          const height = count === 0 ? 0 : Math.max(1.5, (HEIGHT * count) / most);
          return (
            <rect key={i} x={i * bar} y={HEIGHT - height} width={Math.max(bar - 0.6, 0.5)} height={height}>
              <title>{`${numberText(low + i * width)} to ${numberText(low + (i + 1) * width)}: ${count}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption class="ends quiet">
        <span>{numberText(low)}</span>
        <span>{numberText(high)}</span>
      </figcaption>
    </figure>
  );
}
