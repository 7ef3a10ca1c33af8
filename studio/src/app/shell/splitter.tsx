/** Resizes the side by pointer or arrow keys. */
export function Splitter({ isWide }: { isWide: boolean }) {
  const name = isWide ? '--side-wide' : '--side';
  const resize = (width: number) => {
    const within = Math.max(260, Math.min(width, innerWidth * 0.8));
    document.documentElement.style.setProperty(name, `${Math.round(within)}px`);
  };
  const widthOf = (element: Element) => element.parentElement?.getBoundingClientRect();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved is no line between paragraphs
    <button
      type="button"
      role="separator"
      class="splitter"
      aria-orientation="vertical"
      aria-label="Panel width"
      aria-valuenow={340}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        const box = widthOf(event.currentTarget);
        if (box && event.currentTarget.hasPointerCapture(event.pointerId)) resize(event.clientX - box.left);
      }}
      onKeyDown={(event) => {
        const box = widthOf(event.currentTarget);
        const step = { ArrowLeft: -24, ArrowRight: 24 }[event.key];
        if (box && step) resize(box.width + step);
      }}
    />
  );
}
