/** A key to press, for the eye: screen readers get the name of what it does instead. */
export function KeyCap({ children }: { children: string | number }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: kbd takes no focus
  return <kbd aria-hidden="true">{children}</kbd>
}
