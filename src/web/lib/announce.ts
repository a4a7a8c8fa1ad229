let region: HTMLElement | undefined

/** Makes screen readers read out a message, for example because only an icon on the page changed. */
export function announce(message: string): void {
  region ??= createRegion()
  // Screen readers notice only changes of a region that has existed for a moment.
  region.textContent = ''
  setTimeout(() => {
    if (region) region.textContent = message
  }, 100)
}

function createRegion(): HTMLElement {
  const created = document.createElement('div')
  created.className = 'sr-only'
  created.role = 'status'
  // A dialog hides the rest of the page from screen readers, except elements with `aria-live`.
  created.ariaLive = 'polite'
  document.body.append(created)
  return created
}
