/** A shortcut hint, hidden from screen readers. */
export function KeyCap({ children }: { children: string | number }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: kbd takes no focus
  return <kbd aria-hidden="true">{children}</kbd>
}
