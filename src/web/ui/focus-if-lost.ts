/**
 * Focuses the element if nothing has the focus, for example because the focused element was
 * removed. May be used as a ref.
 */
export function focusIfLost(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true })
}
