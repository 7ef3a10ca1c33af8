import { numberText, shareText } from '../../ui/number-text.js';
import { formatCount } from '../../ui/quantities.js';
import type { Summary } from '../../workers/contracts/tensors.js';

/** Statistics of a tensor; suspicious ones are highlighted. */
export function Statistics({ of }: { of: Summary }) {
  const rows: readonly (readonly [title: string, text: string, isBad?: boolean])[] = [
    ['Elements', formatCount(of.count)],
    ['Minimum', numberText(of.min)],
    ['Maximum', numberText(of.max)],
    ['Mean', numberText(of.mean)],
    ['Standard deviation', numberText(of.deviation)],
    ['Zeros', `${formatCount(of.zeros)} (${shareText(of.zeros, of.count)})`],
    ['Outliers beyond 5 σ', `${formatCount(of.outliers)} (${shareText(of.outliers, of.count)})`],
    ['NaN', formatCount(of.nan), of.nan > 0],
    ['Infinite', formatCount(of.infinite), of.infinite > 0],
  ];
  return (
    <dl class="facts">
      {rows.map(([title, text, isBad]) => [
        <dt key={title}>{title}</dt>,
        <dd key={`${title} figure`}>{isBad ? <span class="badge bad">{text}</span> : text}</dd>,
      ])}
    </dl>
  );
}
