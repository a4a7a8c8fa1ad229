/** Focuses an element that appears instead of the focused one. As a ref: when it is mounted. */
export function focusIfLost(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true })
}
